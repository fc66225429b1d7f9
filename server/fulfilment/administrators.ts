/** The administrator whom a buyer has asked by mail to approve an order: who that was, and the buyer told when it is done. */
import type { OrderId } from "#db/ids.ts";
import { findAskedAdministrator } from "#db/invitations.ts";
import type { Order } from "#db/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { queueMail } from "#server/outbox/mail.ts";

/** Whoever has asked an administrator need not look again and again. */
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

/** The address that a link about this domain was mailed to last; null when none was. Who was asked about another one is not waited for. */
export function askedAdministrator(db: Db, orderId: OrderId, domain: string): Promise<string | null> {
  return findAskedAdministrator(db, orderId, domain);
}
