/** Queries on a subscription's paid orders, which a cancellation refunds. */
import { sql } from "kysely";
import type { z } from "zod";
import type { OrderId, SubscriptionId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import { detailsSchema } from "#db/orders/order.ts";
import type { BillingCycle, OrderKind, Term } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { ProviderPaymentKey } from "./payment-keys.ts";
import { listOrderPayments, type OrderPayments } from "./received-payments.ts";

/** A paid and fulfilled order of a subscription, with the amount refunded so far. */
export interface PaidOrder {
  orderId: OrderId;
  kind: OrderKind;
  /** Newest first, each with the unrefunded rest in minor units. */
  payments: (ProviderPaymentKey & { leftMinor: number })[];
  /** Sum of the payments, at most the invoice's total. */
  paid: Money;
  /** Amount refunded, about to be refunded, or lost in a dispute. */
  refunded: Money;
  seats: number;
  /** Licences of `seats` that were returned, or are about to be. */
  seatsReturned: number;
  term: Term;
  billingCycle: BillingCycle;
  fulfilledAt: Date;
  details: z.output<typeof paidDetails>;
}

const paidDetails = detailsSchema.pick({ proration: true, renewal: true });

/** Selects the paid, fulfilled orders of subscriptions, newest first, each with its number of returned licences. */
function listFulfilledOrders(db: Db, subscriptionIds: readonly SubscriptionId[]) {
  return db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select((eb) => [
      "orders.id",
      "orders.subscription_id",
      "orders.kind",
      "orders.currency",
      "orders.details",
      "orders.fulfilled_at",
      "order_lines.quantity",
      "order_lines.term",
      "order_lines.billing_cycle",
      eb
        .selectFrom("cancellation_parts")
        .innerJoin("cancellations", "cancellations.id", "cancellation_parts.cancellation_id")
        .select(({ fn }) => fn.coalesce(fn.sum<string>("cancellation_parts.seats"), sql.lit("0")).as("sum"))
        .whereRef("cancellation_parts.order_id", "=", "orders.id")
        .where("cancellations.state", "<>", "refused")
        .as("returned"),
    ])
    .where("orders.subscription_id", "in", subscriptionIds)
    .where("orders.stage", "=", "stage4")
    .where("orders.payment_status", "<>", "refunded")
    .where("orders.fulfilled_at", "is not", null)
    .orderBy("orders.fulfilled_at", "desc")
    .orderBy("orders.id")
    .execute();
}

/** Lists the paid, fulfilled orders of a subscription, newest first. */
export async function listPaidOrders(db: Db, subscriptionId: SubscriptionId): Promise<PaidOrder[]> {
  return (await listPaidOrdersOf(db, [subscriptionId])).get(subscriptionId) ?? [];
}

/**
 * Lists the paid, fulfilled orders of several subscriptions, by subscription.
 * @param isMeant filter by an order's details; by default all orders
 */
export async function listPaidOrdersOf(
  db: Db,
  subscriptionIds: readonly SubscriptionId[],
  isMeant: (details: PaidOrder["details"]) => boolean = () => true,
): Promise<ReadonlyMap<SubscriptionId, PaidOrder[]>> {
  if (subscriptionIds.length === 0) return new Map();
  const found = await listFulfilledOrders(db, subscriptionIds);
  const rows = found.flatMap(({ details: stored, ...row }) => {
    const details = paidDetails.parse(stored);
    return isMeant(details) ? [{ ...row, details }] : [];
  });
  const paidWith = await listOrderPayments(
    db,
    rows.map(({ id }) => id),
  );
  const bySubscription = new Map(subscriptionIds.map((id): [SubscriptionId, PaidOrder[]] => [id, []]));
  for (const row of rows) {
    const paid = paidWith.find(({ orderId }) => orderId === row.id);
    if (row.subscription_id === null || row.fulfilled_at === null || paid === undefined) continue;
    const all = (of: (payment: OrderPayments["payments"][number]) => number) =>
      paid.payments.reduce((sum, payment) => sum + of(payment), 0);
    bySubscription.get(row.subscription_id)?.push({
      orderId: row.id,
      kind: row.kind,
      payments: paid.payments.map(({ provider, providerPaymentId, amountMinor, goneMinor }) => ({
        provider,
        providerPaymentId,
        leftMinor: Math.max(0, amountMinor - goneMinor),
      })),
      paid: money(all(({ amountMinor }) => amountMinor) - paid.surplusMinor, row.currency),
      refunded: money(all(({ goneMinor }) => goneMinor) - paid.returnedMinor, row.currency),
      seats: row.quantity,
      seatsReturned: Number(row.returned),
      term: row.term,
      billingCycle: row.billing_cycle,
      fulfilledAt: row.fulfilled_at,
      details: row.details,
    });
  }
  return bySubscription;
}

/** Finds the highest number of licences of one active add-on on this base subscription; 0 without add-ons. */
export async function findMaxAddOnSeats(db: Db, subscriptionId: SubscriptionId): Promise<number> {
  const rows = await db
    .selectFrom("subscriptions")
    .select(({ fn }) => fn.sum<string>("quantity").as("seats"))
    .where("parent_subscription_id", "=", subscriptionId)
    .where("status", "=", "active")
    .groupBy("item_id")
    .execute();
  return Math.max(0, ...rows.map(({ seats }) => Number(seats)));
}

/** Whether a paid, unfulfilled order adds an add-on to a subscription. */
export async function isBaseOrdered(db: Db, subscriptionId: SubscriptionId): Promise<boolean> {
  const order = await db
    .selectFrom("orders")
    .select("id")
    .where("parent_subscription_id", "=", subscriptionId)
    .where("stage", "=", "stage3")
    .limit(1)
    .executeTakeFirst();
  return order !== undefined;
}
