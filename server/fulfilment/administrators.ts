/**
 * The administrator a buyer has asked by mail to approve an order: who it is, and the mail that tells the buyer when it
 * is done.
 */

import { findRequestedAdministrator } from "#db/fulfilment/partner-invitations.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";

/** Mails the buyer who has asked an administrator, so that they need not keep checking. */
export async function notifyRequestingBuyer(trx: Trx, order: Order, domain: string): Promise<void> {
  if (order.account === null || (await requestedAdministrator(trx, order.id, domain)) === null) return;
  await queueOwnMail(trx, {
    kind: "administrator-done",
    dedupeKey: `administrator-done:${order.id}:${domain}`,
    userId: order.userId,
    orderId: order.id,
    data: { domain },
  });
}

/**
 * The address to which a link about this domain was last mailed; null when none was. A request about another domain does
 * not count.
 */
export function requestedAdministrator(db: Db, orderId: OrderId, domain: string): Promise<string | null> {
  return findRequestedAdministrator(db, orderId, domain);
}
