/** Tells who was asked by link about a version of a quote that a change has replaced it: their links no longer count (docs/decisions/quotes.md#approval-and-payment-by-link). */

import { listRequests } from "#db/billing/quote-requests.ts";
import type { QuoteId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";

/** Queues one mail per unanswered request, except to the buyer, who made the change. Call it when the next version is issued. */
export async function notifySupersededRequests(trx: Trx, order: Order, replaced: QuoteId): Promise<void> {
  const buyer = order.account?.email.toLowerCase();
  for (const { id, email, answer } of await listRequests(trx, replaced)) {
    if (answer !== null || email.toLowerCase() === buyer) continue;
    await queueMail(trx, {
      kind: "quote-void",
      dedupeKey: `quote-void:${id}`,
      recipient: email,
      orderId: order.id,
      data: { requestId: id },
    });
  }
}
