/** What becomes of a payment that was begun for an order when the order changes, or is paid another way. */

import { closeIntents, supersedeOpenIntents } from "#db/billing/payment-intents.ts";
import type { OrderId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";

/** Takes back what was begun to be paid, because another amount is due, or by somebody else. */
export async function supersedePayments(trx: Trx, orderId: OrderId): Promise<void> {
  await supersedeOpenIntents(trx, orderId);
  await closeSuperseded(trx, orderId);
}

/** Has providers told that an order's superseded payments are not to be made any more. */
export async function closeSuperseded(trx: Trx, orderId: OrderId): Promise<void> {
  for (const intentId of await closeIntents(trx, orderId)) await queueClosePayment(trx, intentId);
}

export async function queueClosePayment(trx: Trx, intentId: string): Promise<void> {
  await addJob(trx, "close-payment", { intentId }, { jobKey: `close-payment:${intentId}` });
}
