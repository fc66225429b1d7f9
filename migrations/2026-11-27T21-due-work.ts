/**
 * What the clock jobs find their work by, so that a run reads what is due and not what there is: the reminders that a subscription's owners
 * have had of its end, accounts by when they were last asked for, drafts that nobody claimed, orders in work by where they go. The version
 * still serving writes no reminder down, and both know by the mail's key that it was sent. On a large database build the indexes before by
 * hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscriptions
      add column reminded_end timestamptz,
      add column reminded_days smallint`.execute(db);
  await sql`create index if not exists subscriptions_begun on subscriptions (start_date, family)
    where status = 'active' and order_id is not null`.execute(db);
  await sql`create index if not exists tenants_sync
    on tenants ((coalesce(sync_asked_at, '-infinity'::timestamptz)), family desc, external_id)`.execute(db);
  await sql`create index if not exists orders_unclaimed on orders (updated_at)
    where payment_status = 'none' and user_id is null`.execute(db);
  // Checked when a draft is deleted.
  await sql`create index if not exists cancellations_order on cancellations (order_id)`.execute(db);
  await sql`create index if not exists orders_in_fulfilment on orders (id) where stage = 'stage3'`.execute(
    db,
  );
  for (const [name, what] of [
    ["tenant", sql`tenant_id`],
    ["domain", sql`(details -> 'google' ->> 'domain')`],
    ["prefix", sql`((signin ->> 'prefix') || '.onmicrosoft.com')`],
  ] as const)
    await sql`create index if not exists ${sql.id(`orders_in_work_${name}`)} on orders ((${what}))
      where stage = 'stage3' and fulfilment_status in ('queued', 'running', 'needs_attention')`.execute(db);
  await sql`create index if not exists credentials_over on credentials (expires_at)
    where purpose = 'transfer-token' or first_shown_at is not null`.execute(db);
  await sql`create index if not exists e_invoices_acknowledged on e_invoices (acknowledged_at)
    where state = 'final' and cancel_reason is null and error_code is null`.execute(db);
}
