/** Queries on the runs that work on the stored steps of orders: one row for each order that is being worked on. */
import { sql } from "kysely";
import { newId, type OrderId, type RunId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";

/** Begins a run. Waits until no step of an earlier one is being written: that one can write none from then on. */
export async function insertRun(trx: Trx, orderId: OrderId): Promise<RunId> {
  const run = newId<RunId>();
  await trx
    .insertInto("order_runs")
    .values({ order_id: orderId, run_id: run })
    .onConflict((oc) => oc.column("order_id").doUpdateSet({ run_id: run, begun_at: sql`now()` }))
    .execute();
  return run;
}

/** Whether a run is the last that has begun. If it is, no other begins before this transaction ends. */
export async function lockRun(trx: Trx, orderId: OrderId, run: RunId): Promise<boolean> {
  const row = await trx
    .selectFrom("order_runs")
    .select("run_id")
    .where("order_id", "=", orderId)
    .where("run_id", "=", run)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends a run. @returns false when another has begun since, or it has ended already */
export async function deleteRun(trx: Trx, orderId: OrderId, run: RunId): Promise<boolean> {
  const result = await trx
    .deleteFrom("order_runs")
    .where("order_id", "=", orderId)
    .where("run_id", "=", run)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
