/**
 * What clock jobs find of the money that is still open: refunds that wait to be sent, refunds that failed, and the accounts that may have to be
 * asked. And what a company has in its tenants, in the order in which it is shown. On a large database build the indexes before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists refunds_requested on refunds (id) where status = 'requested'`.execute(
    db,
  );
  await sql`create index if not exists refunds_failed on refunds (updated_at) where status = 'failed'`.execute(
    db,
  );
  await sql`create index if not exists subscriptions_placed on subscriptions (customer_id, domain, id)
    where status = 'active'`.execute(db);
  await sql`create index if not exists payment_intents_accounts on payment_intents (provider, coalesce(account, ''))
    where (status <> 'paid' or takes_more) and provider_order_id is not null and next_look_at is not null`.execute(
    db,
  );
}
