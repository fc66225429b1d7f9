/**
 * What buyers cancel or reduce before the end of a term: at the vendor first, then in money. Nothing of it is known to the version
 * still serving, which therefore neither begins nor disturbs one: the subscription is held as by an order.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cancellations (
      id uuid primary key,
      subscription_id uuid not null references subscriptions (id),
      order_id uuid not null references orders (id),
      kind text not null check (kind in ('cancel', 'reduce')),
      seats_before integer not null check (seats_before > 0),
      seats_after integer not null check (seats_after >= 0 and seats_after < seats_before),
      state text not null check (state in ('requested', 'vendor_done', 'refund_requested', 'refused')),
      asked_by uuid not null references users (id),
      problem text,
      last_error text,
      met jsonb not null default '{}',
      needs_person boolean not null default false,
      created_at timestamptz not null default now(),
      vendor_done_at timestamptz,
      finished_at timestamptz,
      check ((kind = 'cancel') = (seats_after = 0))
    )`.execute(db);
  // One at a time for a subscription.
  await sql`
    create unique index cancellations_open on cancellations (subscription_id)
      where state in ('requested', 'vendor_done')`.execute(db);
  await sql`create index cancellations_subscription on cancellations (subscription_id, created_at desc)`.execute(
    db,
  );
  await sql`
    create table cancellation_parts (
      cancellation_id uuid not null references cancellations (id),
      order_id uuid not null references orders (id),
      seats integer not null check (seats > 0),
      amount_minor bigint not null check (amount_minor >= 0),
      currency text not null references currencies (id),
      refund_id uuid references refunds (id),
      primary key (cancellation_id, order_id)
    )`.execute(db);
  await sql`create index cancellation_parts_order on cancellation_parts (order_id)`.execute(db);
}
