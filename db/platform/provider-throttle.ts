/** Reserved call slots of each provider: one row per rate limit, shared by all processes. Only the database's clock counts. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

export interface ThrottleRate {
  /** Interval between two calls, in milliseconds. */
  everyMs: number;
  /** Number of calls that may follow each other immediately after a pause. */
  burst: number;
}

/**
 * Reserves the next free slot. A single statement, so that no two callers reserve the same one.
 * @param maxMs reserves nothing if the wait would be longer
 * @returns the wait in milliseconds; null if nothing was reserved
 */
export async function reserveCallSlot(
  db: Db,
  name: string,
  { everyMs, burst }: ThrottleRate,
  maxMs: number,
): Promise<number | null> {
  const rested = sql`clock_timestamp() - ${(burst - 1) * everyMs} * interval '1 millisecond'`;
  const every = sql`${everyMs} * interval '1 millisecond'`;
  const { rows } = await sql<{ wait: number }>`
    insert into call_paces as pace (name, next_at) values (${name}, ${rested} + ${every})
    on conflict (name) do update set next_at = greatest(pace.next_at, ${rested}) + ${every}
    where pace.next_at <= clock_timestamp() + ${maxMs} * interval '1 millisecond'
    returning greatest(0, ceil(extract(epoch from pace.next_at - ${every} - clock_timestamp()) * 1000))::int as wait`.execute(
    db,
  );
  return rows[0]?.wait ?? null;
}

/** Blocks all slots until `ms` have passed. */
export async function blockCalls(db: Db, name: string, ms: number): Promise<void> {
  await sql`
    insert into call_paces as pace (name, next_at) values (${name}, clock_timestamp() + ${ms} * interval '1 millisecond')
    on conflict (name) do update set next_at = greatest(pace.next_at, excluded.next_at)`.execute(db);
}
