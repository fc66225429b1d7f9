/**
 * An index on all orders of a base's add-ons, in place of one on the paid ones alone: those at the checkout are counted too. It may
 * be built before by hand, as the indexes of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index if not exists orders_add_on on orders (parent_subscription_id)
    where parent_subscription_id is not null`.execute(db);
  await sql`drop index orders_add_on_in_work`.execute(db);
}
