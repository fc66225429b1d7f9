/**
 * What an order meets at its vendor and since when, and the pauses of a vendor that takes nothing from us. The version still
 * serving writes neither: it counts tries as before.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table fulfilments
      add column met jsonb not null default '{}',
      add column held_for text,
      add column trial_at timestamptz`.execute(db);
  await sql`create index fulfilments_held on fulfilments (held_for) where held_for is not null`.execute(db);

  await sql`
    create table vendor_pauses (
      account text primary key,
      family text not null references families (id),
      country text not null references countries (id),
      reason text not null,
      since timestamptz not null default now(),
      trial_order_id uuid
    )`.execute(db);
}
