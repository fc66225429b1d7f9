/** Opens the credit note of a page or PDF link, for users who may see it. */
import { type CreditNoteId, parseId } from "#db/ids.ts";
import { type CreditNote, getCreditNoteFor } from "#server/billing/documents/credit-note.ts";
import { notFound } from "#server/foundation/errors.ts";
import { type RequestContext, requireSession } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";

/** @throws a redirect to the login, which returns here; DomainError not_found for a missing one or another company's */
export async function openCreditNote(request: RequestContext, params: { id: string }): Promise<CreditNote> {
  requireSession(request);
  const id = parseId<CreditNoteId>(params.id);
  if (id === null) throw notFound("creditNote");
  return getCreditNoteFor(request.context, id, requesterOf(request));
}
