/** Looks that staff take at the store as one of a company's people: for reading alone, bound to a session of the desk, and for an hour. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table store_views (
      id uuid primary key,
      staff_session_id uuid not null references staff_sessions (id),
      customer_id uuid not null references customers (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      token_hash text not null unique,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz
    )`.execute(db);
  await sql`create index store_views_open on store_views (staff_session_id) where ended_at is null`.execute(
    db,
  );
  await sql`create index store_views_customer on store_views (customer_id)`.execute(db);
  await sql`create index store_views_user on store_views (user_id)`.execute(db);
}
