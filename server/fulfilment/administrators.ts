/** The administrator whom a buyer asked by mail to approve an order, and the mail that informs the buyer of the approval. */

import { findRequestedAdministrator } from "#db/fulfilment/partner-invitations.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";

/** Mails a buyer who has asked an administrator, so that they need not keep checking. */
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
 * Finds the address that a link about this domain was last mailed to; null when none was. A request about another domain does
 * not count.
 */
export function requestedAdministrator(db: Db, orderId: OrderId, domain: string): Promise<string | null> {
  return findRequestedAdministrator(db, orderId, domain);
}
