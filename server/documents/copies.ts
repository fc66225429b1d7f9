/** Sends a document to those who have agreed to get a company's documents, beside the mail to its buyer. */
import type { OrderId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { listReaders } from "#server/accounts/billing-contacts.ts";
import { findOrder } from "#server/orders/find.ts";
import { queueMail } from "#server/outbox/mail.ts";

/** Which of a contact's choices each kind of document belongs to. */
const choiceOf = {
  invoice: "getsInvoices",
  "credit-note": "getsInvoices",
  proforma: "getsProformas",
} as const;

/** Once for each document and reader. Call it when the document may be handed out: registered, or with the account it is paid to. */
export async function queueCopies(
  trx: Trx,
  { orderId, number, kind }: { orderId: OrderId; number: string; kind: keyof typeof choiceOf },
): Promise<void> {
  const order = await findOrder(trx, orderId);
  if (order === null || order.customerId === null) return;
  for (const { id, email } of await listReaders(trx, order.customerId, choiceOf[kind])) {
    await queueMail(trx, {
      kind: "document-copy",
      dedupeKey: `document-copy:${number}:${id}`,
      recipient: email,
      orderId,
      data: { number, kind, contactId: id },
    });
  }
}
