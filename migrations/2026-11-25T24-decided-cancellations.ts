/** What a person has decided about a cancellation that its vendor neither makes nor refuses. The version still serving goes on with it. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cancellations add column decision jsonb`.execute(db);
}
