/** Sends a document to those who have agreed to get a company's documents, beside the mail to its buyer. */
import type { BillingContact } from "#db/accounts/billing-contacts.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { listDocumentRecipients } from "#server/accounts/billing-contacts.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";

/** Which of a contact's choices each kind of document belongs to. */
const choiceOf = {
  invoice: "getsInvoices",
  "credit-note": "getsInvoices",
  proforma: "getsProformas",
} as const;

type Copied = keyof typeof choiceOf;

/** Who gets a copy of an order's document. Read before a series is locked. */
export async function listCopyRecipients(
  db: Db,
  { customerId }: Pick<Order, "customerId">,
  kind: Copied,
): Promise<BillingContact[]> {
  return customerId === null ? [] : listDocumentRecipients(db, customerId, choiceOf[kind]);
}

/** Once for each document and reader. Call it when the document may be handed out: registered, or with the account it is paid to. */
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
