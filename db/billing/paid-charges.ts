/** Queries on paid orders that a vendor bills us for. */
import { sql } from "kysely";
import type { SubscriptionId } from "#db/ids.ts";
import { detailsSchema, type OrderDetails } from "#db/orders/order.ts";
import type { Country, Currency, FamilyId, OrderKind } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { NumberedOrder } from "./reconciliation.ts";

/** A paid and fulfilled order, for which the vendor bills us. */
export interface PaidCharge extends NumberedOrder {
  kind: OrderKind;
  family: FamilyId;
  country: Country;
  subscriptionId: SubscriptionId;
  quantity: number;
  /** Amount paid before tax. */
  subtotalMinor: number;
  currency: Currency;
  paidAt: Date;
  fulfilledAt: Date;
  renewal: OrderDetails["renewal"];
}

/** Lists the charges of these families and subscriptions, oldest first. */
export async function listPaidCharges(
  db: Db,
  families: readonly FamilyId[],
  subscriptionIds: readonly SubscriptionId[],
): Promise<PaidCharge[]> {
  if (families.length === 0) return [];
  const rows = await db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .select([
      "orders.id",
      "orders.number",
      "orders.created_at",
      "orders.kind",
      "orders.family",
      "orders.country",
      "orders.currency",
      "orders.subscription_id",
      "orders.details",
      "orders.subtotal_minor",
      "orders.paid_at",
      "orders.fulfilled_at",
      "order_lines.quantity",
    ])
    .where("orders.family", "in", families)
    .where("orders.stage", "=", "stage4")
    .where(sql<boolean>`orders.subscription_id = any(${subscriptionIds}::uuid[])`)
    .where("orders.paid_at", "is not", null)
    .where("orders.fulfilled_at", "is not", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("payments")
          .select("payments.id")
          .whereRef("payments.order_id", "=", "orders.id")
          .where("payments.status", "in", ["captured", "refunded"]),
      ),
    )
    .orderBy("orders.paid_at")
    .execute();
  return rows.flatMap((row) =>
    row.subscription_id === null || row.paid_at === null || row.fulfilled_at === null
      ? []
      : [
          {
            orderId: row.id,
            number: row.number,
            createdAt: row.created_at,
            kind: row.kind,
            family: row.family,
            country: row.country,
            subscriptionId: row.subscription_id,
            quantity: row.quantity,
            subtotalMinor: row.subtotal_minor,
            currency: row.currency,
            paidAt: row.paid_at,
            fulfilledAt: row.fulfilled_at,
            renewal: detailsSchema.parse(row.details).renewal,
          },
        ],
  );
}

/** Returns those of these subscriptions that have an order with a refund, done or requested. */
export async function subscriptionsRefunded(
  db: Db,
  subscriptionIds: readonly SubscriptionId[],
): Promise<Set<SubscriptionId>> {
  // Look up each subscription separately: they are few, and refunds many.
  const { rows } = await sql<{ id: SubscriptionId }>`
    select asked.id from unnest(${[...subscriptionIds]}::uuid[]) as asked (id)
    cross join lateral (
      select from orders join refunds on refunds.order_id = orders.id
      where orders.subscription_id = asked.id and refunds.status <> 'failed' limit 1
    ) refunded`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
