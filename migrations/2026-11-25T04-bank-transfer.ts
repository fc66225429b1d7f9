/**
 * A second payment provider, paid by transfer to an account of the order's own: what comes in parts, and the proformas that ask for
 * it. With it the uniqueness of a provider's id alone goes, and the default that named the first provider, which no version that
 * still serves needs.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`insert into payment_providers (id) values ('bank-transfer')`.execute(db);
  await sql`alter table payment_intents alter column provider drop default`.execute(db);
  await sql`alter table refunds alter column provider drop default`.execute(db);
  await sql`
    alter table payments
      alter column provider drop default,
      drop constraint if exists payments_provider_payment_id_key,
      drop constraint payments_status_check,
      add constraint payments_status_check
        check (status in ('returned', 'part', 'captured', 'mismatch', 'surplus', 'failed', 'refunded'))`.execute(
    db,
  );

  await sql`
    create table proformas (
      number text primary key check (number ~ '^[A-Z0-9/-]{1,24}$'),
      order_id uuid not null references orders (id),
      intent_id uuid not null unique references payment_intents (id),
      series text not null references invoice_series (series),
      serial integer not null,
      issued_at timestamptz not null,
      valid_until timestamptz not null,
      language text not null,
      facts jsonb not null,
      bank jsonb,
      withheld_minor bigint not null default 0 check (withheld_minor >= 0),
      surplus_minor bigint not null default 0 check (surplus_minor >= 0),
      unique (series, serial)
    )`.execute(db);
  await sql`create index proformas_order on proformas (order_id, issued_at desc)`.execute(db);
}
