/** Whether more licences or a renewal have been paid for and not been carried out: what a buyer hears before ordering again. */
import type { SubscriptionId } from "#db/ids.ts";
import { findLatestChange } from "#db/subscriptions.ts";
import type { Context } from "#server/context.ts";
import { unsettledPayments } from "#server/payments/settle.ts";
import { lookUpPayments } from "#server/payments/webhook.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { findOrder } from "./find.ts";
import { isPaid, type Order } from "./order.ts";
import type { ChangeKind } from "./subscription-change.ts";

/** How far the newest order of a kind for a subscription is. "paid" is paid for and not done: it needs no second payment. */
export type ChangeUnderWay = { state: "none" } | { state: "unpaid" | "paid"; order: Order };

/**
 * Reads the detail behind "buy more" and "renew" (SPEC section 4). A payment that was begun is looked up at the provider,
 * so that one made just before the browser was closed is found before another is asked for.
 */
export async function changeUnderWay(
  context: Context,
  subscriptionId: SubscriptionId,
  kind: ChangeKind,
): Promise<ChangeUnderWay> {
  const { db } = context;
  const id = await findLatestChange(db, subscriptionId, kind);
  const read = async () => (id === null ? null : findOrder(db, id));
  let order = await read();
  if (order?.paymentStatus === "pending") {
    await lookUpPayments(context, order.id).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ err: error, orderId: id }, "a begun payment could not be looked up");
    });
    order = await read();
  }
  if (order === null || order.fulfilmentStatus === "done") return { state: "none" };
  const hasMoney = isPaid(order) || (await unsettledPayments(context, order.id)).length > 0;
  return { state: hasMoney ? "paid" : "unpaid", order };
}
