/** How far each provider's calls are booked ahead: a row a pace, shared by all processes. The database's clock alone counts. */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

export interface ThrottleRate {
  /** Between two calls, in milliseconds. */
  everyMs: number;
  /** So many calls may follow each other at once after a rest. */
  burst: number;
}

/**
 * Books the next free moment. A single statement, so that no two callers book the same one.
 * @param maxMs nothing is booked where the wait would be longer
 * @returns how long to wait for it, in milliseconds; null where nothing was booked
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

/** Nothing is free before `ms` have passed. */
export async function blockCalls(db: Db, name: string, ms: number): Promise<void> {
  await sql`
    insert into call_paces as pace (name, next_at) values (${name}, clock_timestamp() + ${ms} * interval '1 millisecond')
    on conflict (name) do update set next_at = greatest(pace.next_at, excluded.next_at)`.execute(db);
}
