/** Counters for rate limits, one row per key and window, shared by all processes. */
import { sql } from "kysely";
import type { Db } from "./tables/index.ts";

/**
 * Adds one attempt to a window and returns the count. A single statement, so concurrent attempts never read the same count.
 */
export async function countAttempt(db: Db, key: string, windowStart: Date): Promise<number> {
  const row = await db
    .insertInto("rate_limits")
    .values({ key, window_start: windowStart, count: 1 })
    .onConflict((oc) =>
      oc.columns(["key", "window_start"]).doUpdateSet({ count: sql<number>`rate_limits.count + 1` }),
    )
    .returning("count")
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Takes one attempt back, never below zero. */
export async function uncountAttempt(db: Db, key: string, windowStart: Date): Promise<void> {
  await db
    .updateTable("rate_limits")
    .set({ count: sql<number>`greatest(count - 1, 0)` })
    .where("key", "=", key)
    .where("window_start", "=", windowStart)
    .execute();
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom("rate_limits").where("key", "=", key).execute();
}
