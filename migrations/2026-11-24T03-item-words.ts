/** What an item's words are in other languages. The version still serving reads none of them, and the next seed fills them. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table catalogue_items add column words jsonb`.execute(db);
}
