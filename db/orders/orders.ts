/** Queries on orders and their lines, mapped to `Order` (order.ts). The rules for changing an order are in server/orders. */
import { type ExpressionBuilder, type Insertable, sql } from "kysely";
import { jsonObjectFrom } from "kysely/helpers/postgres";
import type { CustomerId, ItemId, OrderId, SubscriptionId, UserId } from "#db/ids.ts";
import type { Country, FamilyId, OrderKind } from "#db/tables/enums.ts";
import type { Database, Db, Trx } from "#db/tables/index.ts";
import type { OrderLineRow, OrderLinesTable, OrderRow } from "#db/tables/orders.ts";
import {
  type NewOrder,
  type Order,
  type OrderAmounts,
  type OrderChanges,
  type OrderLine,
  toOrder,
} from "./order.ts";

/** Owner of the listed orders: a company, a user without a company, or the draft key of an anonymous browser. */
export type OrderOwner = { customerId: CustomerId } | { userId: UserId } | { draftKey: string };

/** Selects an order's first line as JSON. */
export function firstLine({ selectFrom }: ExpressionBuilder<Database, "orders">) {
  const line = selectFrom("order_lines")
    .selectAll("order_lines")
    .whereRef("order_lines.order_id", "=", "orders.id")
    .orderBy("order_lines.position")
    .limit(1);
  return jsonObjectFrom(line).as("line");
}

/** Maps a row with its line. @throws Error for an order without a line: our fault, never the buyer's */
export function withLine({ line, ...row }: OrderRow & { line: OrderLineRow | null }): Order {
  if (line === null) throw new Error(`Order ${row.id} has no line`);
  return toOrder(row, line);
}

export async function readOrder(db: Db, id: OrderId): Promise<Order | null> {
  const row = await db
    .selectFrom("orders")
    .selectAll("orders")
    .select(firstLine)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? null : withLine(row);
}

/** Reads an order and locks its row until the transaction ends. */
export async function readOrderLocked(trx: Trx, id: OrderId): Promise<Order | null> {
  // Read the line only under the lock: another transaction may have replaced it in the meantime.
  const locked = await trx
    .selectFrom("orders")
    .select("id")
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return locked === undefined ? null : readOrder(trx, id);
}

/** Finds the newest order for this plan that the browser or user began after `since` and took no further than the first step. */
export async function findFreshDraft(
  db: Db,
  by: {
    userId: UserId | null;
    draftKey: string | null;
    kind: OrderKind;
    itemId: ItemId;
    country: Country;
    /** The subscription to add to or renew; null when the order creates one. */
    subscriptionId: SubscriptionId | null;
    since: Date;
  },
): Promise<OrderId | null> {
  const owner =
    by.userId !== null
      ? { column: "user_id" as const, value: by.userId }
      : { column: "draft_key" as const, value: by.draftKey };
  if (owner.value === null) return null;
  const row = await db
    .selectFrom("orders")
    .select("id")
    .where(owner.column, "=", owner.value)
    .where("kind", "=", by.kind)
    .where("item_id", "=", by.itemId)
    .where("country", "=", by.country)
    .where("subscription_id", by.subscriptionId === null ? "is" : "=", by.subscriptionId)
    .where("stage", "=", "stage1")
    .where("payment_status", "in", ["none", "pending", "failed"])
    .where("removed_at", "is", null)
    .where("created_at", ">", by.since)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Lists paid orders of a user and of a company that wait for their sign-in details, oldest first, at most 50. */
export async function listOrdersNeedingSignIn(
  db: Db,
  by: { userId: UserId; customerId: CustomerId | null; family: FamilyId },
): Promise<Order[]> {
  const rows = await db
    .selectFrom("orders")
    .selectAll("orders")
    .select(firstLine)
    .where("fulfilment_status", "=", "waiting_for_signin")
    .where("family", "=", by.family)
    .where(({ eb, or }) => or([eb("user_id", "=", by.userId), eb("customer_id", "=", by.customerId)]))
    .orderBy("created_at")
    .limit(50)
    .execute();
  return rows.map(withLine);
}

/** Must match the predicates of the partial indexes in migrations 08 and 2026-11-25T06 literally, or PostgreSQL does not use them. */
const inCart = sql<boolean>`orders.payment_status in ('none', 'pending', 'failed') and orders.removed_at is null`;

export const which = {
  // Includes refunded orders.
  paid: sql<boolean>`orders.payment_status in ('completed', 'partly_refunded', 'refunded', 'disputed', 'lost')`,
  cart: inCart,
  awaited: sql<boolean>`${inCart} and exists (
    select 1 from proformas join payment_intents on payment_intents.id = proformas.intent_id
    where proformas.order_id = orders.id and payment_intents.status = 'open')`,
};

/** Selects an owner's orders; each kind of owner uses one index. */
export function ordersOf(db: Db, owner: OrderOwner) {
  const orders = db.selectFrom("orders");
  if ("customerId" in owner) return orders.where("orders.customer_id", "=", owner.customerId);
  if ("userId" in owner) {
    return orders.where("orders.user_id", "=", owner.userId).where("orders.customer_id", "is", null);
  }
  return orders
    .where("orders.draft_key", "=", owner.draftKey)
    .where("orders.user_id", "is", null)
    .where("orders.customer_id", "is", null);
}

/** Finds the time at which a company's oldest paid order was begun; null without one. */
export async function firstPaidOrderAt(db: Db, customerId: CustomerId): Promise<Date | null> {
  const row = await ordersOf(db, { customerId })
    .where(which.paid)
    .select("orders.created_at")
    .orderBy("orders.created_at")
    .limit(1)
    .executeTakeFirst();
  return row?.created_at ?? null;
}

/** Stores an order with its one line. */
export async function insertOrder(trx: Trx, order: NewOrder, line: OrderLine): Promise<void> {
  await trx
    .insertInto("orders")
    .values({
      id: order.id,
      kind: order.kind,
      family: order.family,
      item_id: order.itemId,
      country: order.country,
      currency: order.figures.total.currency,
      ...columnsOf(order),
      ...columnsOfFigures(order.figures),
      details: JSON.stringify(order.details),
      created_at: order.createdAt,
      updated_at: order.updatedAt,
    })
    .execute();
  await trx.insertInto("order_lines").values(columnsOfLine(order.id, line)).execute();
}

export async function replaceLine(trx: Trx, orderId: OrderId, line: OrderLine): Promise<void> {
  await trx.deleteFrom("order_lines").where("order_id", "=", orderId).execute();
  await trx.insertInto("order_lines").values(columnsOfLine(orderId, line)).execute();
}

/** Kysely leaves out a column that is undefined. */
function columnsOf(changes: OrderChanges) {
  return {
    stage: changes.stage,
    payment_status: changes.paymentStatus,
    fulfilment_status: changes.fulfilmentStatus,
    user_id: changes.userId,
    customer_id: changes.customerId,
    tenant_id: changes.tenantId,
    subscription_id: changes.subscriptionId,
    parent_subscription_id: changes.parentSubscriptionId,
    draft_key: changes.draftKey,
    language: changes.language,
    details: changes.details && JSON.stringify(changes.details),
    account: changes.account && JSON.stringify(changes.account),
    signin: changes.signIn && JSON.stringify(changes.signIn),
    po_number: changes.references?.purchaseOrder,
    cost_centre: changes.references?.costCentre,
    buyer_note: changes.references?.note,
    quoted: changes.isQuoted,
    price_held_until: changes.priceHeldUntil,
    terms_accepted_at: changes.termsAcceptedAt,
    paid_at: changes.paidAt,
    fulfilled_at: changes.fulfilledAt,
    removed_at: changes.removedAt,
  };
}

function columnsOfFigures(figures: OrderAmounts) {
  return {
    tax_rate_basis_points: figures.taxRateBasisPoints,
    subtotal_minor: figures.subtotal.minor,
    tax_minor: figures.tax.minor,
    rounding_minor: figures.rounding.minor,
    total_minor: figures.total.minor,
    priced_at: figures.pricedAt,
  };
}

function columnsOfLine(orderId: OrderId, line: OrderLine): Insertable<OrderLinesTable> {
  return {
    order_id: orderId,
    position: 0,
    item_id: line.itemId,
    name: line.name,
    sku: line.sku,
    term: line.term,
    billing_cycle: line.billingCycle,
    quantity: line.quantity,
    unit_price_minor: line.unitPrice.minor,
    signup_price_minor: line.signupPrice?.minor ?? null,
    subtotal_minor: line.subtotal.minor,
  };
}

/** Moves a browser's drafts to another key. Both keys are hashes, as stored. */
export async function replaceDraftKey(db: Db, fromKey: string, toKey: string): Promise<void> {
  await db.updateTable("orders").set({ draft_key: toKey }).where("draft_key", "=", fromKey).execute();
}

/** Changes the language of the unfulfilled orders of a user, or of an anonymous browser. */
export async function updateLanguageOfOrders(
  db: Db,
  whose: { userId: UserId } | { draftKey: string },
  language: string,
): Promise<void> {
  const open = db.updateTable("orders").set({ language }).where("fulfilment_status", "<>", "done");
  const own =
    "userId" in whose
      ? open.where("user_id", "=", whose.userId)
      : open.where("draft_key", "=", whose.draftKey);
  await own.execute();
}

/** Updates an order if it has not changed since it was read. @returns false when it has changed */
export async function updateOrder(
  trx: Trx,
  { id, version }: { id: OrderId; version: number },
  changes: OrderChanges,
): Promise<boolean> {
  const result = await trx
    .updateTable("orders")
    .set({
      ...columnsOf(changes),
      ...(changes.figures !== undefined && columnsOfFigures(changes.figures)),
      version: version + 1,
      updated_at: new Date(),
    })
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
