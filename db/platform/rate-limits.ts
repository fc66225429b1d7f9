/** Counters for rate limits, one row per key, shared by all processes. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

export interface RateLimitWindow {
  /** Attempts in the window, including this one. */
  count: number;
  /** Time of its first attempt. */
  startedAt: Date;
}

/**
 * Adds one attempt to the open window of a key, or opens a window with it, and returns the window. A single statement, so
 * concurrent attempts never read the same count.
 */
export async function countAttempt(
  db: Db,
  key: string,
  { now, windowSeconds }: { now: Date; windowSeconds: number },
): Promise<RateLimitWindow> {
  const isOver = sql`rate_limit_windows.started_at <= ${new Date(now.getTime() - windowSeconds * 1_000)}`;
  const { count, started_at: startedAt } = await db
    .insertInto("rate_limit_windows")
    .values({ key, started_at: now, count: 1 })
    .onConflict((oc) =>
      oc.column("key").doUpdateSet({
        count: sql<number>`case when ${isOver} then 1 else rate_limit_windows.count + 1 end`,
        started_at: sql<Date>`case when ${isOver} then excluded.started_at else rate_limit_windows.started_at end`,
      }),
    )
    .returning(["count", "started_at"])
    .executeTakeFirstOrThrow();
  return { count, startedAt };
}

/** Undoes one attempt, never below zero. Ignores an attempt of a window that a later one has replaced. */
export async function uncountAttempt(db: Db, key: string, now: Date): Promise<void> {
  await db
    .updateTable("rate_limit_windows")
    .set({ count: sql<number>`greatest(count - 1, 0)` })
    .where("key", "=", key)
    .where("started_at", "<=", now)
    .execute();
}

export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom("rate_limit_windows").where("key", "=", key).execute();
}
