/** Companies as staff find them: their order in the list, when their people last signed in, and what a vendor last said of what they hold. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index customers_age on customers (created_at, id)`.execute(db);
  // The index that there was holds the sessions that are not revoked.
  await sql`create index sessions_begun on sessions (user_id, created_at)`.execute(db);
  await sql`
    create table vendor_readings (
      subscription_id uuid primary key references subscriptions (id) on delete cascade,
      is_there boolean not null,
      state text,
      quantity integer,
      term_start timestamptz,
      term_end timestamptz,
      at_end text,
      read_at timestamptz not null
    )`.execute(db);
}
