/** Queries on orders and their lines. Rows go in and out; what they mean is in server/orders. */
import type { Insertable } from "kysely";
import type { CustomerId, ItemId, OrderId, SubscriptionId, UserId } from "./ids.ts";
import type { Country, Family, OrderKind } from "./tables/enums.ts";
import type { Db, Trx } from "./tables/index.ts";
import type { OrderLineRow, OrderLinesTable, OrderRow, OrdersTable } from "./tables/orders.ts";

export interface OrderRows {
  row: OrderRow;
  line: OrderLineRow;
}

export async function findOrderRows(db: Db, id: OrderId): Promise<OrderRows | null> {
  const row = await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : { row, line: await readLine(db, id) };
}

/** Reads an order and holds its row until the transaction ends. */
export async function lockOrderRows(trx: Trx, id: OrderId): Promise<OrderRows | null> {
  const row = await trx.selectFrom("orders").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  return row === undefined ? null : { row, line: await readLine(trx, id) };
}

/** The newest order of this plan that a browser or user has begun since, with no step after the first posted. */
export async function findFreshDraft(
  db: Db,
  by: {
    userId: UserId | null;
    draftKey: string | null;
    kind: OrderKind;
    itemId: ItemId;
    country: Country;
    /** The one to be added to or renewed; null where the order makes one. */
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
    .where("created_at", ">", by.since)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** A person's orders, and those of a company, that are paid and wait for their sign-in details; the oldest first. */
export async function listWaitingRows(
  db: Db,
  by: { userId: UserId; customerId: CustomerId | null; family: Family },
): Promise<OrderRows[]> {
  const rows = await db
    .selectFrom("orders")
    .selectAll()
    .where("fulfilment_status", "=", "waiting_for_signin")
    .where("family", "=", by.family)
    .where(({ eb, or }) => or([eb("user_id", "=", by.userId), eb("customer_id", "=", by.customerId)]))
    .orderBy("created_at")
    .limit(50)
    .execute();
  return Promise.all(rows.map(async (row) => ({ row, line: await readLine(db, row.id) })));
}

export async function insertOrder(
  trx: Trx,
  order: Insertable<OrdersTable>,
  line: Insertable<OrderLinesTable>,
): Promise<void> {
  await trx.insertInto("orders").values(order).execute();
  await trx.insertInto("order_lines").values(line).execute();
}

export async function replaceLine(trx: Trx, line: Insertable<OrderLinesTable>): Promise<void> {
  await trx.deleteFrom("order_lines").where("order_id", "=", line.order_id).execute();
  await trx.insertInto("order_lines").values(line).execute();
}

async function readLine(db: Db, id: OrderId): Promise<OrderLineRow> {
  return db
    .selectFrom("order_lines")
    .selectAll()
    .where("order_id", "=", id)
    .orderBy("position")
    .limit(1)
    .executeTakeFirstOrThrow();
}
