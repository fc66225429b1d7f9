/**
 * Money that is given back: refunds, payments that were. And what a payment that was begun pays for, kept with it, so that an
 * order changed in another window meanwhile is carried out as it was paid; and who is asking the provider for its order.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table payments
      drop constraint payments_status_check,
      add constraint payments_status_check
        check (status in ('returned', 'captured', 'mismatch', 'surplus', 'failed', 'refunded'))`.execute(db);

  // The id is also the key by which the provider knows a repeated request.
  await sql`
    create table refunds (
      id uuid primary key,
      order_id uuid not null references orders (id),
      provider_payment_id text not null references payments (provider_payment_id),
      amount_minor bigint not null check (amount_minor > 0),
      currency text not null check (currency in ('INR', 'USD')),
      reason text not null,
      status text not null check (status in ('requested', 'pending', 'processed', 'failed')),
      provider_refund_id text unique,
      problem text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index refunds_order on refunds (order_id, created_at desc)`.execute(db);
  await sql`create index refunds_payment on refunds (provider_payment_id)`.execute(db);

  // Null for a payment begun by an earlier version, which pays for the order as it stands.
  await sql`alter table payment_intents add column paid_for jsonb, add column asked_at timestamptz`.execute(
    db,
  );
}
