/** Orders that wait for a person: what stopped them, and sending one on again. Built for `npm run order`, until there is a desk. */
import { type OrderStory, readStory } from "#db/attention.ts";
import { updateFulfilment } from "#db/fulfilments.ts";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { record } from "#server/accounts/audit.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { queueFulfilment } from "./queue.ts";

/**
 * Sends an order on its way again, with all its tries. What it has asked providers for stays stored: a step that succeeded is
 * not repeated, and one in doubt goes out under the id it had.
 * @param retry.by who says so
 * @throws DomainError not_found; conflict for an order that waits for nobody: nothing is changed
 */
export async function retryFulfilment(
  db: Db,
  orderId: OrderId,
  retry: { reason: string; by: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.fulfilmentStatus !== "needs_attention") {
      throw new DomainError(
        "conflict",
        `Its fulfilment is "${order.fulfilmentStatus}": only an order that needs attention can be tried again.`,
      );
    }
    await updateFulfilment(trx, orderId, { status: "queued", attempts: 0 });
    await moveOrder(trx, order, { fulfilment_status: "queued" });
    await queueFulfilment(trx, orderId);
    await record(trx, { userId: null, action: "order.retry", subject: `order:${orderId}`, data: retry });
  });
}

/** What is known of an order, for whoever looks into it. @throws DomainError not_found */
export async function storyOf(db: Db, orderId: OrderId): Promise<OrderStory> {
  const story = await readStory(db, orderId);
  if (story === null) throw notFound("order");
  return story;
}
