/**
 * The administrator a buyer has asked by mail to approve an order: who it is, and the mail that tells the buyer when it
 * is done.
 */
import type { OrderId } from "#db/ids.ts";
import { findAskedAdministrator } from "#db/invitations.ts";
import type { Order } from "#db/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { queueMail } from "#server/outbox/mail.ts";

/** Mails the buyer who has asked an administrator, so that they need not keep checking. */
export async function tellAskingBuyer(trx: Trx, order: Order, domain: string): Promise<void> {
  if (order.account === null || (await askedAdministrator(trx, order.id, domain)) === null) return;
  await queueMail(trx, {
    kind: "administrator-done",
    dedupeKey: `administrator-done:${order.id}:${domain}`,
    recipient: order.account.email,
    userId: order.userId,
    orderId: order.id,
    data: { domain },
  });
}

/**
 * The address to which a link about this domain was last mailed; null when none was. A request about another domain does
 * not count.
 */
export function askedAdministrator(db: Db, orderId: OrderId, domain: string): Promise<string | null> {
  return findAskedAdministrator(db, orderId, domain);
}
