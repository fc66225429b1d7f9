/**
 * The account at the provider that took a payment, was asked for an order, or signed an event: that of a country. Null is the one
 * account of all countries: what there is until now, and what the version still serving writes.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_intents add column account text references countries (id)`.execute(db);
  await sql`alter table payments add column account text references countries (id)`.execute(db);
  await sql`alter table provider_events add column account text references countries (id)`.execute(db);
}
