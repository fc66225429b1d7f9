/**
 * Sends copies of a document to the contacts who have agreed to receive a company's documents, in addition to the buyer's mail.
 */
import type { BillingContact } from "#db/accounts/billing-contacts.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { listDocumentRecipients } from "#server/accounts/billing-contacts.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";

/** The consent of a contact that each kind of document requires. */
const choiceOf = {
  invoice: "getsInvoices",
  "credit-note": "getsInvoices",
  proforma: "getsProformas",
} as const;

type Copied = keyof typeof choiceOf;

/** Lists the contacts who receive a copy of an order's document. Call it before locking a series. */
export async function listCopyRecipients(
  db: Db,
  { customerId }: Pick<Order, "customerId">,
  kind: Copied,
): Promise<BillingContact[]> {
  return customerId === null ? [] : listDocumentRecipients(db, customerId, choiceOf[kind]);
}

/** Queues a copy per contact, once per document. Call it when the document is complete: registered, or with its bank account. */
export async function queueCopies(
  trx: Trx,
  { orderId, number, kind }: { orderId: OrderId; number: string; kind: Copied },
  readers: readonly BillingContact[],
): Promise<void> {
  for (const { id, email } of readers) {
    await queueMail(trx, {
      kind: "document-copy",
      dedupeKey: `document-copy:${number}:${id}`,
      recipient: email,
      orderId,
      data: { number, kind, contactId: id },
    });
  }
}
