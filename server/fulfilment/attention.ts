/**
 * Orders that need attention: what stopped them, and how to retry them. Used by `npm run order` and the desk.
 */
import { findOrderByNumber, type OrderStory, readStory } from "#db/attention.ts";
import { forgetTries } from "#db/fulfilments.ts";
import { type OrderId, parseId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { type Ordered, record } from "#server/accounts/audit.ts";
import { DomainError, notFound } from "#server/errors.ts";
import { lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { readOrderNumber } from "#server/orders/number.ts";
import { isGivenBack } from "#server/orders/order.ts";
import { queueFulfilment } from "./queue.ts";

/**
 * Retries an order, with a fresh count of tries. Its stored steps remain: a step that succeeded is not repeated, and one
 * in doubt is sent with the same request id.
 * @throws DomainError not_found; conflict for an order that does not need attention, in which case nothing changes
 */
export async function retryFulfilment(
  db: Db,
  orderId: OrderId,
  { reason, by, staffId }: Ordered,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.fulfilmentStatus !== "needs_attention") {
      throw new DomainError(
        "conflict",
        `Its fulfilment is "${order.fulfilmentStatus}": only an order that needs attention can be tried again.`,
      );
    }
    if (isGivenBack(order))
      throw new DomainError("conflict", "Its money went back: nothing may be bought for it.");
    await forgetTries(trx, orderId);
    await moveOrder(trx, order, { fulfilmentStatus: "queued" });
    await queueFulfilment(trx, orderId);
    await record(trx, {
      userId: null,
      staffId,
      action: "order.retry",
      subject: `order:${orderId}`,
      data: { reason, by },
    });
  });
}

/** All that is stored about an order, for the person who investigates it. @throws DomainError not_found */
export async function storyOf(db: Db, orderId: OrderId): Promise<OrderStory> {
  const story = await readStory(db, orderId);
  if (story === null) throw notFound("order");
  return story;
}

/** The order of an id, or of the number that people read out. @throws DomainError not_found */
export async function orderNamed(db: Db, text: string): Promise<OrderId> {
  const id = parseId<OrderId>(text);
  if (id !== null) return id;
  const number = readOrderNumber(text);
  const found = number === null ? null : await findOrderByNumber(db, number);
  if (found === null) throw notFound("order");
  return found;
}
