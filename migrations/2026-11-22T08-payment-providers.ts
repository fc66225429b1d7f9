/**
 * Who takes the money has a row, and whatever is known by an id of theirs names them: two providers may use the same id. Rows of
 * the version still serving are Razorpay's by default.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create table payment_providers (id text primary key)`.execute(db);
  await sql`insert into payment_providers (id) values ('razorpay')`.execute(db);

  await sql`
    alter table payment_intents
      add column provider text not null default 'razorpay' references payment_providers (id),
      drop constraint payment_intents_provider_order_id_key,
      add constraint payment_intents_provider_order unique (provider, provider_order_id)`.execute(db);

  // An id's own uniqueness stays beside that with its provider: the version still serving names it in `on conflict`. A later
  // migration drops it, before a second provider is added.
  await sql`
    alter table payments
      add column provider text not null default 'razorpay' references payment_providers (id),
      add constraint payments_provider_payment unique (provider, provider_payment_id)`.execute(db);

  await sql`
    alter table refunds
      add column provider text not null default 'razorpay' references payment_providers (id),
      drop constraint refunds_provider_payment_id_fkey,
      add constraint refunds_payment_of_provider foreign key (provider, provider_payment_id)
        references payments (provider, provider_payment_id),
      drop constraint refunds_provider_refund_id_key,
      add constraint refunds_provider_refund unique (provider, provider_refund_id)`.execute(db);

  await sql`
    alter table provider_events
      add constraint provider_events_of_provider foreign key (provider) references payment_providers (id)`.execute(
    db,
  );
}
