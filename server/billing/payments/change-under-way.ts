/** Whether more licences or a renewal are paid for but not fulfilled yet, which the buyer sees before ordering again. */
import type { SubscriptionId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { findLatestChange } from "#db/orders/subscriptions.ts";
import type { Db } from "#db/tables/index.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { findOrder } from "#server/orders/find.ts";
import { isRefunded } from "#server/orders/payment-state.ts";
import type { ChangeKind } from "#server/orders/subscription-change.ts";
import type { Context } from "#server/platform/context.ts";
import { isPaymentWaiting } from "./payment-return.ts";
import { lookUpPayments } from "./sweep.ts";

/** The state of a subscription's newest order of a kind. "paid": paid but not fulfilled, so it needs no second payment. */
export type ChangeUnderWay = { state: "none" } | { state: "unpaid" | "paid"; order: Order };

/**
 * Reads the state behind "buy more" and "renew" (docs/specification.md, section 4.6). Looks a pending payment up at the
 * provider, so that one made just before the browser was closed is found before another is requested.
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
  if (order === null || order.fulfilmentStatus === "done" || isRefunded(order)) return { state: "none" };
  return { state: (await isPaymentWaiting(context, order)) ? "paid" : "unpaid", order };
}

/** Finds a subscription's newest paid order of a kind, fulfilled or not. */
export async function latestPaidChange(
  db: Db,
  subscriptionId: SubscriptionId,
  kind: ChangeKind,
): Promise<Order | null> {
  const id = await findLatestChange(db, subscriptionId, kind, { paidOnly: true });
  return id === null ? null : findOrder(db, id);
}

/** Time in which a buyer may pay, close the browser and come back to check. */
const justMs = 60 * 60 * 1000;

/**
 * Finds the newest order of a kind if it was paid within the last hour and is fulfilled; the buyer sees it before ordering
 * again.
 */
export async function findRecentlyFulfilledChange(
  { db }: Pick<Context, "db">,
  subscriptionId: SubscriptionId,
  kind: ChangeKind,
  now: Date,
): Promise<Order | null> {
  const order = await latestPaidChange(db, subscriptionId, kind);
  if (order === null || order.fulfilmentStatus !== "done" || order.paidAt === null) return null;
  return now.getTime() - order.paidAt.getTime() < justMs ? order : null;
}
