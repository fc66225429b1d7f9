/** Finds the links of a subscription that is deleted. On a large database build the index before by hand, as those of 2026-11-22T01. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists one_time_tokens_subscription on one_time_tokens (subscription_id)
    where subscription_id is not null`.execute(db);
}
