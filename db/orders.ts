/** Queries on orders and their lines. Rows go in and out; what they mean is in server/orders. */
import type { Insertable } from "kysely";
import type { OrderId } from "./ids.ts";
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
