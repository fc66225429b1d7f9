/**
 * After the purchase: a renewal that has been paid and waits for the running term to end, which order is changing a
 * subscription at its provider, orders taken out of the cart, and the indexes the lists are read by.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table subscriptions
      add column next_term_start timestamptz,
      add column next_term_quantity integer check (next_term_quantity > 0),
      add column changing_order_id uuid references orders (id),
      add constraint subscriptions_next_term check ((next_term_start is null) = (next_term_quantity is null))`.execute(
    db,
  );
  await sql`create index subscriptions_next_term on subscriptions (next_term_start) where next_term_start is not null`.execute(
    db,
  );
  await sql`create index orders_subscription on orders (subscription_id, created_at desc) where subscription_id is not null`.execute(
    db,
  );
  await sql`alter table orders add column removed_at timestamptz`.execute(db);
}
