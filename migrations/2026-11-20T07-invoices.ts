/** Invoices: one for every paid order, frozen as issued, numbered without gaps by a counter for each series. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table invoice_series (
      series text primary key,
      last_serial integer not null check (last_serial > 0),
      last_issued_at timestamptz not null
    )`.execute(db);
  await sql`
    create table invoices (
      number text primary key check (number ~ '^[A-Z0-9/-]{1,16}$'),
      order_id uuid not null unique references orders (id),
      series text not null references invoice_series (series),
      serial integer not null,
      issued_at timestamptz not null,
      facts jsonb not null,
      unique (series, serial)
    )`.execute(db);
}
