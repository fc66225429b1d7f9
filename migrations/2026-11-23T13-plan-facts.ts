/** What plans are compared by. The version still serving reads none of it, and the next seed fills it. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table catalogue_items add column facts jsonb`.execute(db);
}
