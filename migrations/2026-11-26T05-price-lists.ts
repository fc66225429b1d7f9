/**
 * Prices by date, and the lists that set them. What is on sale is copied as being in force for ever. The version still serving goes on
 * with `prices`, which nothing writes any more; a later migration drops it.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table price_lists (
      id bigint generated always as identity primary key,
      source text not null,
      digest text,
      from_day text check (from_day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
      imported_by text not null,
      imported_at timestamptz not null,
      state text not null check (state in ('waiting', 'applied', 'discarded', 'taken-back')),
      state_by text not null,
      state_at timestamptz not null
    )`.execute(db);

  await sql`
    create table price_list_rows (
      list_id bigint not null references price_lists (id) on delete cascade,
      line integer not null,
      item text not null,
      item_id text references catalogue_items (id) on delete set null,
      currency text not null references currencies (id),
      kind text not null check (kind in ('regular', 'signup')),
      term text not null check (term in ('P1M', 'P1Y')),
      billing_cycle text not null check (billing_cycle in ('monthly', 'annual')),
      amount_minor bigint not null check (amount_minor > 0),
      list_minor bigint check (list_minor > 0),
      primary key (list_id, line)
    )`.execute(db);
  await sql`create index price_list_rows_item on price_list_rows (item_id)`.execute(db);

  await sql`
    create table dated_prices (
      item_id text not null references catalogue_items (id) on delete cascade,
      currency text not null references currencies (id),
      kind text not null check (kind in ('regular', 'signup')),
      term text not null check (term in ('P1M', 'P1Y')),
      billing_cycle text not null check (billing_cycle in ('monthly', 'annual')),
      valid_from timestamptz not null,
      amount_minor bigint not null check (amount_minor >= 0),
      list_minor bigint check (list_minor >= 0),
      list_id bigint references price_lists (id),
      set_at timestamptz not null default now(),
      primary key (item_id, currency, kind, term, billing_cycle, valid_from)
    )`.execute(db);
  await sql`create index dated_prices_list on dated_prices (list_id) where list_id is not null`.execute(db);
  await sql`
    insert into dated_prices (item_id, currency, kind, term, billing_cycle, valid_from, amount_minor, list_minor)
      select item_id, currency, kind, term, billing_cycle, 'epoch', amount_minor, list_minor from prices`.execute(
    db,
  );

  // When a person last changed what the catalogue says of it: from then on the seed leaves its texts alone.
  await sql`alter table catalogue_items add column texts_edited_at timestamptz`.execute(db);
}
