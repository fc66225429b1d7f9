/** A line of a payout may be what a dispute took, which it names. Lines that were read before stay without. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table settlement_lines add column provider_dispute_id text`.execute(db);
}
