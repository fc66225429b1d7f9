/** Opens the invoice of a page or PDF link, for users who may see it: the valid one, or the replaced one that `number` names. */
import { type OrderId, parseId } from "#db/ids.ts";
import { getInvoiceFor, type Invoice } from "#server/billing/documents/issue.ts";
import { notFound } from "#server/foundation/errors.ts";
import { type RequestContext, requireSession } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";

/** @throws a redirect to the login, which returns here; DomainError not_found for an unpaid order or another company's */
export async function openInvoice(request: RequestContext, params: { id: string }): Promise<Invoice> {
  requireSession(request);
  const id = parseId<OrderId>(params.id);
  if (id === null) throw notFound("invoice");
  return getInvoiceFor(request.context, id, requesterOf(request), request.url.searchParams.get("number"));
}
