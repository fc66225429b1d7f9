/**
 * In which language a person, and whoever placed an order, is written to. Unknown for what was made before, and for what the
 * version still serving makes.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column language text`.execute(db);
  await sql`alter table orders add column language text`.execute(db);
}
