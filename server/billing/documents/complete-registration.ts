/** Completes a registered document: stores the portal's signature, and sends the document. */
import { type EInvoice, markRegistered } from "#db/billing/e-invoices.ts";
import { type DocumentRevision, updateDocumentFacts, updateSentBody } from "#db/billing/refused-documents.ts";
import type { Trx } from "#db/tables/index.ts";
import { queueMail, queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import type { RegisteredDocument } from "#server/integrations/e-invoices.ts";
import { findOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { listCopyRecipients, queueCopies } from "./copies.ts";

/**
 * Stores the registration of a document, and sends the document.
 * @param earlier the registered version if it is not the newest; the document then gets its facts again
 * @returns false, without any change, when the document is no longer pending or was corrected since
 */
export async function completeRegistration(
  { trx, log }: Pick<Context, "log"> & { trx: Trx },
  document: EInvoice,
  said: RegisteredDocument,
  earlier: DocumentRevision | null,
): Promise<boolean> {
  const { number, kind, orderId } = document;
  if (!(await markRegistered(trx, document, said, new Date()))) return false;
  log.info({ number, irn: said.irn }, "a document was registered");
  if (earlier !== null) {
    await updateDocumentFacts(trx, { number, kind }, earlier.facts);
    await updateSentBody(trx, number, earlier.body);
    await queueOperatorAlert(trx, {
      dedupeKey: `e-invoice-earlier-version:${number}`,
      orderId,
      what: `Document ${number} was registered with the details it had before its last correction: the tax office's answer was lost. The document shows those details again.`,
      toDo: ["Issue a corrected invoice if the details are wrong."],
    });
  }
  await announceDocument(trx, { number, kind, orderId });
  return true;
}

/** Sends a document that is now valid to its buyer and to the company's billing contacts. */
export async function announceDocument(
  trx: Trx,
  { number, kind, orderId }: Pick<EInvoice, "number" | "kind" | "orderId">,
): Promise<void> {
  const copied = kind === "INV" ? "invoice" : "credit-note";
  const order = orderId === null ? null : await findOrder(trx, orderId);
  if (order === null) return;
  await queueCopies(
    trx,
    { orderId: order.id, number, kind: copied },
    await listCopyRecipients(trx, order, copied),
  );
  if (kind !== "INV" || order.account === null) return;
  await queueMail(trx, {
    kind: "invoice-ready",
    dedupeKey: `invoice-ready:${number}`,
    recipient: order.account.email,
    userId: order.userId,
    orderId: order.id,
    data: { number },
  });
}
