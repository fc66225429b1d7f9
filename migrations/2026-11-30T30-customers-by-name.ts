/** Companies are listed at the desk by their names. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists customers_by_name on customers (lower(name) collate "C", id)`.execute(
    db,
  );
}
