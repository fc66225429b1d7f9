/** The lists of a company's orders, its cart and its subscriptions are read page by page, each along an index of its own order. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index orders_paid_list on orders (customer_id, created_at, id)
    where payment_status in ('completed', 'refunded')`.execute(db);
  const inCart = sql`payment_status in ('none', 'pending', 'failed') and removed_at is null`;
  await sql`create index orders_cart_company on orders (customer_id, created_at, id) where ${inCart}`.execute(
    db,
  );
  await sql`create index orders_cart_user on orders (user_id, created_at, id)
    where ${inCart} and customer_id is null`.execute(db);
  await sql`create index orders_cart_draft on orders (draft_key, created_at, id)
    where ${inCart} and user_id is null and customer_id is null`.execute(db);
  await sql`create index subscriptions_active_list on subscriptions (customer_id, end_date, id)
    where status = 'active'`.execute(db);
  await sql`create index subscriptions_ended_list on subscriptions (customer_id, end_date, id)
    where status <> 'active'`.execute(db);
}
