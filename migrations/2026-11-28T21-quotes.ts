/**
 * Quotes: what an unpaid order costs and until when, with a version for each change of the order. An order knows that it has one, and
 * until when it keeps its price. The version still serving issues none, and its changes are found by the first look at the quote.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table orders
      add column quoted boolean not null default false,
      add column price_held_until timestamptz`.execute(db);
  await sql`
    create table quotes (
      id uuid primary key,
      order_id uuid not null references orders (id) on delete cascade,
      number text not null check (number ~ '^[A-Z0-9/-]{1,24}$'),
      version integer not null check (version >= 1),
      series text not null references invoice_series (series),
      serial integer not null,
      issued_at timestamptz not null,
      valid_until timestamptz not null,
      language text not null,
      facts jsonb not null,
      hash text not null check (hash ~ '^[0-9a-f]{64}$'),
      unique (order_id, version),
      unique (series, serial, version)
    )`.execute(db);
}
