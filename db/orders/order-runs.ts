/** Queries on runs, which execute the stored steps of orders: one row per order in work. */
import { sql } from "kysely";
import { newId, type OrderId, type RunId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";

/** Begins a run. Waits while an earlier run writes a step; after that, the earlier run can write no more. */
export async function insertRun(trx: Trx, orderId: OrderId): Promise<RunId> {
  const run = newId<RunId>();
  await trx
    .insertInto("order_runs")
    .values({ order_id: orderId, run_id: run })
    .onConflict((oc) => oc.column("order_id").doUpdateSet({ run_id: run, begun_at: sql`now()` }))
    .execute();
  return run;
}

/** Whether a run is the latest. If it is, no other can begin before this transaction ends. */
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

/** Ends a run. @returns false when it has ended already or another has begun since */
export async function deleteRun(trx: Trx, orderId: OrderId, run: RunId): Promise<boolean> {
  const result = await trx
    .deleteFrom("order_runs")
    .where("order_id", "=", orderId)
    .where("run_id", "=", run)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}
