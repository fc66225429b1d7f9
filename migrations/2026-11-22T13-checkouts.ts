import { type Kysely, sql } from "kysely";

/** An order that a lost checkout has placed is looked up, and must not be another order's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index provider_requests_placed_orders on provider_requests ((result ->> 'orderId'))
    where step in ('checkout', 'placed-order')`.execute(db);
}
