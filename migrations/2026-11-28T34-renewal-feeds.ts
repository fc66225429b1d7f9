/**
 * The one address of a company under which its renewals are read as a calendar. Its token is stored as a hash: who has lost the address makes
 * another. Calendar programs cannot log in, so whoever has the address reads it.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table renewal_feeds (
      customer_id uuid primary key references customers (id) on delete cascade,
      hash text not null unique,
      with_amounts boolean not null,
      language text not null,
      created_at timestamptz not null
    )`.execute(db);
}
