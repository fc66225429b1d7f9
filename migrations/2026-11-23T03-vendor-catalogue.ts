/**
 * What the vendors call our items: the titles by which they are found, and the ids found under them for each country and account. Also
 * what differed when a vendor was last asked. The version still serving reads none of it.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table catalogue_items
      add column vendor_product text,
      add column vendor_sku text,
      add constraint catalogue_items_vendor check ((vendor_product is null) = (vendor_sku is null))`.execute(
    db,
  );

  await sql`
    create table vendor_items (
      item_id text not null references catalogue_items (id) on delete cascade,
      country text not null references countries (id),
      account text not null,
      product_id text not null,
      sku_id text not null,
      found_at timestamptz not null default now(),
      primary key (item_id, country)
    )`.execute(db);
  await sql`create index vendor_items_ids on vendor_items (product_id, sku_id)`.execute(db);

  await sql`
    create table vendor_differences (
      item_id text not null references catalogue_items (id) on delete cascade,
      country text not null references countries (id),
      what text not null,
      since timestamptz not null default now(),
      primary key (item_id, country, what)
    )`.execute(db);

  await sql`
    create table vendor_prices (
      family text not null references families (id),
      country text not null references countries (id),
      product_id text not null,
      sku_id text not null,
      term text not null,
      billing_cycle text not null,
      currency text not null references currencies (id),
      least_seats integer not null,
      most_seats integer,
      cost_minor bigint not null check (cost_minor >= 0),
      retail_minor bigint not null check (retail_minor >= 0),
      starts_at timestamptz not null,
      ends_at timestamptz,
      imported_at timestamptz not null default now(),
      primary key (country, product_id, sku_id, term, billing_cycle, currency, least_seats, starts_at, family)
    )`.execute(db);
}
