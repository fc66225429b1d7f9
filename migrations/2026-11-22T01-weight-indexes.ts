/**
 * Indexes for what a hundred thousand companies make slow: add-on steps, the tenant's holders, the clock jobs, and deleting a
 * draft, whose foreign keys each read all subscriptions. The migrator runs in a transaction, where an index is built under a lock
 * that stops writes: seconds for a young store. A store with millions of rows builds the same ones before, by hand, with
 * `create index concurrently`; then there is nothing left to do here.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index if not exists orders_left_behind on orders (updated_at)
    where payment_status in ('none', 'pending', 'failed') and resume_mailed_at is null and removed_at is null`.execute(
    db,
  );
  await sql`create index if not exists orders_in_work on orders (family, id)
    where stage = 'stage3' and fulfilment_status in ('queued', 'running', 'needs_attention')`.execute(db);
  await sql`create index if not exists orders_renewal_in_work on orders (subscription_id)
    where kind = 'RENEW' and stage = 'stage3'`.execute(db);
  await sql`create index if not exists orders_add_on_in_work on orders (parent_subscription_id)
    where stage = 'stage3' and parent_subscription_id is not null`.execute(db);
  await sql`create index if not exists subscriptions_order on subscriptions (order_id)`.execute(db);
  await sql`create index if not exists subscriptions_changing_order on subscriptions (changing_order_id)
    where changing_order_id is not null`.execute(db);
  await sql`create index if not exists subscriptions_parent on subscriptions (parent_subscription_id)
    where parent_subscription_id is not null`.execute(db);
  await sql`create index if not exists subscriptions_tenant on subscriptions (tenant_id, item_id)`.execute(
    db,
  );
  await sql`create index if not exists tenants_account on tenants (family, external_id)`.execute(db);
  await sql`create index if not exists invitations_tenant on invitations (tenant_external_id)
    where tenant_external_id is not null`.execute(db);
  await sql`create index if not exists provider_events_received on provider_events (received_at)`.execute(db);
}
