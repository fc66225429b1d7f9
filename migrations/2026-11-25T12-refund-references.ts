/** The bank's reference of a refund, which its buyer names to the bank. The version still serving writes none. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table refunds add column bank_reference text`.execute(db);
}
