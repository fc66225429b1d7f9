/** Whether a subscription waits for its customer to accept the vendor's terms. The version still serving calls that suspended. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions add column waits_for_terms boolean not null default false`.execute(db);
}
