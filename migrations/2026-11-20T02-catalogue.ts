/** What is sold: catalogue items and their prices, with what search needs (full text, prefix, trigram for typos). */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);

  await sql`
    create table catalogue_items (
      id text primary key check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      sku text not null unique,
      family text not null check (family in ('microsoft', 'google', 'brio')),
      section text not null check (section in ('featured', 'other', 'addon')),
      position integer not null,
      name text not null,
      audience text not null,
      description text not null,
      features jsonb not null,
      images jsonb not null,
      min_seats integer not null default 1,
      max_seats integer,
      base_item_ids jsonb not null default '[]',
      active boolean not null default true,
      search_text text not null,
      search tsvector generated always as (to_tsvector('english'::regconfig, search_text)) stored
    )`.execute(db);
  await sql`create index catalogue_items_section on catalogue_items (family, section, position)`.execute(db);
  await sql`create index catalogue_items_search on catalogue_items using gin (search)`.execute(db);
  await sql`create index catalogue_items_trigram on catalogue_items using gin (search_text gin_trgm_ops)`.execute(
    db,
  );

  await sql`
    create table prices (
      item_id text not null references catalogue_items (id) on delete cascade,
      currency text not null check (currency in ('INR', 'USD')),
      kind text not null check (kind in ('regular', 'signup')),
      term text not null check (term in ('P1M', 'P1Y')),
      billing_cycle text not null check (billing_cycle in ('monthly', 'annual')),
      amount_minor bigint not null check (amount_minor >= 0),
      list_minor bigint check (list_minor >= 0),
      primary key (item_id, currency, kind, term, billing_cycle)
    )`.execute(db);
}
