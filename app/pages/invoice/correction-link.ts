/** Link to correct a document: the form for its refused details while the tax office refuses it, else a corrected invoice. */
import type { Invoice } from "#server/billing/documents/issue.ts";
import type { Registration } from "#server/billing/documents/registration.ts";
import * as paths from "#server/foundation/paths.ts";
import type { RequestContext } from "../../http/request-context.ts";

export function correctionLink(
  { text }: Pick<RequestContext, "text">,
  { orderId, number }: Pick<Invoice, "orderId" | "number">,
  { state }: Registration,
): { href: string; label: string } {
  return state === "failed"
    ? { href: paths.refusedDocument(orderId, number), label: text("refusedDocuments.edit") }
    : { href: paths.orderReferences(orderId), label: text("corrections.edit") };
}
