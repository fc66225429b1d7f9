/** When a provider refused to open a payment, and the provider's fee that a buyer paid on top of an order, and got back with a refund. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_intents add column refused_at timestamptz`.execute(db);
  await sql`alter table payments add column customer_fee_minor bigint not null default 0`.execute(db);
  await sql`alter table refunds add column customer_fee_minor bigint not null default 0`.execute(db);
}
