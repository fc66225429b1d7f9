/**
 * The day of the month on which a subscription's terms end. A year that began on 29 February ends on 28 February, from where the next one
 * cannot be told from a year that began on the 28th.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions add column anchor_day smallint`.execute(db);
}
