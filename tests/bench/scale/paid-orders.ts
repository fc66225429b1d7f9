/** Adds any number of paid orders that wait for a worker: brio's, which no vendor's quota delays. */
import { sql } from "kysely";
import type { OrderId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { queueFulfilment } from "#server/fulfilment/queue.ts";

/** @param db filled by `fillStore`: its orders are the pattern @returns their ids, in payment order */
export async function addPaidOrders(db: Db, count: number): Promise<OrderId[]> {
  const ids = await db.transaction().execute(async (trx) => {
    await sql`
      create temporary table paid_now on commit drop as
      select o, (o).id as pattern, gen_random_uuid() as id, row_number() over () as place
      from (
        select o from orders o where family = 'brio' and kind = 'NEW' and stage = 'stage4'
        order by number desc limit ${count}
      ) patterns`.execute(trx);
    await sql`
      insert into orders
      select (jsonb_populate_record(o, jsonb_build_object('id', id, 'number', place + (select max(number) from orders),
        'stage', 'stage3', 'payment_status', 'completed', 'fulfilment_status', 'queued', 'fulfilled_at', null,
        'paid_at', clock_timestamp() + place * interval '1 microsecond', 'updated_at', now()))).*
      from paid_now order by place`.execute(trx);
    await sql`
      insert into order_lines
      select (jsonb_populate_record(l, jsonb_build_object('order_id', p.id))).*
      from paid_now p join order_lines l on l.order_id = p.pattern`.execute(trx);
    await sql`select setval(pg_get_serial_sequence('orders', 'number'), (select max(number) from orders))`.execute(
      trx,
    );
    const { rows } = await sql<{ id: OrderId }>`select id from paid_now order by place`.execute(trx);
    return rows.map(({ id }) => id);
  });
  if (ids.length < count)
    throw new Error(`The store has ${ids.length} patterns of a paid order, not ${count}`);
  // Each in a separate transaction, as in payment.
  for (const id of ids) await db.transaction().execute((trx) => queueFulfilment(trx, id));
  return ids;
}

export interface Drained {
  /** Time from the first to the last, in seconds. */
  seconds: number;
  perMinute: number;
  /** Maximum number of positions by which an order was fulfilled out of turn. */
  outOfTurn: number;
}

/** @param ids of fulfilled orders, in payment order */
export async function readDrained(db: Db, ids: readonly OrderId[]): Promise<Drained> {
  const rows = await db
    .selectFrom("orders")
    .select(["id", "fulfilled_at"])
    .where("id", "in", ids)
    .orderBy("fulfilled_at")
    .execute();
  const turn = new Map(ids.map((id, index) => [id, index]));
  const times = rows.flatMap(({ fulfilled_at }) => (fulfilled_at === null ? [] : [fulfilled_at.getTime()]));
  const [first = 0] = times;
  const seconds = ((times.at(-1) ?? 0) - first) / 1_000;
  return {
    seconds,
    perMinute: (60 * (times.length - 1)) / seconds,
    outOfTurn: Math.max(...rows.map(({ id }, index) => Math.abs(index - (turn.get(id) ?? 0)))),
  };
}

/** @returns the number of fulfilled ones */
export async function countDone(db: Db, ids: readonly OrderId[]): Promise<number> {
  const { count } = await db
    .selectFrom("orders")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("id", "in", ids)
    .where("stage", "=", "stage4")
    .executeTakeFirstOrThrow();
  return Number(count);
}
