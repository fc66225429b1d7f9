/**
 * What payment providers paid out, what vendors billed, and where these differ from what was paid and invoiced here. The version
 * still serving reads none of it.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table settlement_lines (
      provider text not null references payment_providers (id),
      account text references countries (id),
      entity_id text not null,
      settlement_id text not null,
      kind text not null check (kind in ('payment', 'refund', 'other')),
      provider_payment_id text,
      currency text not null,
      amount_minor bigint not null,
      credit_minor bigint not null,
      debit_minor bigint not null,
      fee_minor bigint not null,
      tax_minor bigint not null,
      bank_reference text,
      settled_at timestamptz not null,
      imported_at timestamptz not null default now(),
      primary key (provider, entity_id, settlement_id)
    )`.execute(db);
  await sql`create index settlement_lines_settled on settlement_lines (settled_at)`.execute(db);

  // An account that served all countries is null.
  await sql`
    create table settlement_days (
      provider text not null references payment_providers (id),
      account text references countries (id),
      day date not null,
      read_at timestamptz not null default now(),
      unique nulls not distinct (provider, account, day)
    )`.execute(db);

  await sql`
    create table vendor_statements (
      family text not null references families (id),
      account text not null,
      statement text not null,
      month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'),
      operation text,
      asked_at timestamptz,
      imported_at timestamptz,
      primary key (family, account, statement)
    )`.execute(db);

  await sql`
    create table vendor_bill_lines (
      family text not null references families (id),
      line_key text not null,
      account text not null,
      statement text not null,
      external_id text not null,
      subscription_id uuid references subscriptions (id),
      kind text not null check (kind in ('term', 'seats', 'credit')),
      seats integer not null,
      unit_minor bigint not null,
      amount_minor bigint not null,
      currency text not null references currencies (id),
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      imported_at timestamptz not null default now(),
      primary key (family, line_key)
    )`.execute(db);
  await sql`create index vendor_bill_lines_subscription on vendor_bill_lines (subscription_id)`.execute(db);

  await sql`
    create table money_differences (
      key text primary key,
      kind text not null,
      amount_minor bigint not null,
      currency text not null references currencies (id),
      what text not null,
      first_seen_at timestamptz not null default now(),
      resolved_at timestamptz,
      told_at timestamptz,
      acknowledged_at timestamptz,
      acknowledged_because text
    )`.execute(db);
  await sql`
    create index money_differences_open on money_differences (first_seen_at) where resolved_at is null`.execute(
    db,
  );
}
