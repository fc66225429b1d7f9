/** The invoice of a link, page or PDF, for whoever asks. */
import { type OrderId, parseId } from "#db/ids.ts";
import { notFound } from "#server/errors.ts";
import { getInvoiceFor, type Invoice } from "#server/documents/issue.ts";
import { type Page, requireSession } from "../../http/page.ts";
import { askerOf } from "../../journey/guard.ts";

/** @throws a redirect to the login, and back here after it; DomainError not_found for an order unpaid or another company's */
export async function openInvoice(page: Page, params: { id: string }): Promise<Invoice> {
  requireSession(page);
  const id = parseId<OrderId>(params.id);
  if (id === null) throw notFound("invoice");
  return getInvoiceFor(page.context, id, askerOf(page));
}
