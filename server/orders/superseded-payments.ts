/** Closes the payments that were begun for an order when the order changes, or is paid another way. */

import { closeIntents, supersedeOpenIntents } from "#db/billing/payment-intents.ts";
import type { OrderId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";

/** Supersedes and closes the begun payments, because the amount or the payer changes. */
export async function supersedePayments(trx: Trx, orderId: OrderId): Promise<void> {
  await supersedeOpenIntents(trx, orderId);
  await closeSuperseded(trx, orderId);
}

/** Queues the closing of an order's superseded payments at their providers. */
export async function closeSuperseded(trx: Trx, orderId: OrderId): Promise<void> {
  for (const intentId of await closeIntents(trx, orderId)) await queueClosePayment(trx, intentId);
}

export async function queueClosePayment(trx: Trx, intentId: string): Promise<void> {
  await addJob(trx, "close-payment", { intentId }, { jobKey: `close-payment:${intentId}` });
}
