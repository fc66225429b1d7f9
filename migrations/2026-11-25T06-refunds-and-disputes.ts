/**
 * What becomes of a paid order's money afterwards: given back in part, disputed at the bank, lost there. Who decided on a refund, and
 * when it was last looked up. The version still serving writes refunds of its own, which the store decides, and no disputes.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table orders
      drop constraint orders_payment_status_check,
      add constraint orders_payment_status_check check (payment_status in
        ('none', 'pending', 'completed', 'failed', 'partly_refunded', 'refunded', 'disputed', 'lost'))`.execute(
    db,
  );
  // The version still serving asks for two of these states, which the wider index answers too.
  await sql`create index orders_sold_list on orders (customer_id, created_at, id)
    where payment_status in ('completed', 'partly_refunded', 'refunded', 'disputed', 'lost')`.execute(db);
  await sql`drop index orders_paid_list`.execute(db);

  await sql`
    alter table refunds
      add column decided_by text not null default 'store'
        check (decided_by in ('store', 'operator', 'buyer', 'provider')),
      add column looked_at timestamptz`.execute(db);
  await sql`create index refunds_open on refunds (coalesce(looked_at, created_at))
    where status in ('requested', 'pending')`.execute(db);

  await sql`
    create table disputes (
      id uuid primary key,
      order_id uuid not null references orders (id),
      provider text not null,
      provider_payment_id text not null,
      provider_dispute_id text not null,
      amount_minor bigint not null,
      deducted_minor bigint not null default 0 check (deducted_minor >= 0),
      currency text not null,
      reason text,
      phase text,
      status text not null
        check (status in ('open', 'review', 'action', 'won', 'lost', 'closed')),
      respond_by timestamptz,
      told_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      constraint disputes_of_provider unique (provider, provider_dispute_id),
      foreign key (provider, provider_payment_id) references payments (provider, provider_payment_id)
    )`.execute(db);
  await sql`create index disputes_order on disputes (order_id)`.execute(db);
  await sql`create index disputes_payment on disputes (provider, provider_payment_id)`.execute(db);
}
