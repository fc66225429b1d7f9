/**
 * Counters of rate limits whose window opens with its first attempt. The table they replace, `rate_limits`, counts in windows that end
 * at the same minute for everybody; the version before this one still writes it.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rate_limit_windows (
      key text primary key,
      started_at timestamptz not null,
      count integer not null
    )`.execute(db);
  await sql`create index rate_limit_windows_started on rate_limit_windows (started_at)`.execute(db);
}
