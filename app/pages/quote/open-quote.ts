/** Opens a quote, for users who may see its order's documents. */
import { parseId, type QuoteId } from "#db/ids.ts";
import { getQuoteFor, type OpenedQuote } from "#server/billing/quotes/quote.ts";
import { notFound } from "#server/foundation/errors.ts";
import { type RequestContext, requireSession } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";

/** @throws a redirect to the login, which returns here; DomainError not_found for another company's */
export async function openQuotePage(request: RequestContext, params: { id: string }): Promise<OpenedQuote> {
  requireSession(request);
  const id = parseId<QuoteId>(params.id);
  if (id === null) throw notFound();
  return getQuoteFor(request.context.db, id, requesterOf(request), new Date());
}
