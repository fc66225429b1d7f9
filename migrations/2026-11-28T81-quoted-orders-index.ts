/** Quoted orders are listed at the desk, the newest first. On a large database build the index before by hand, as those of 2026-11-22T01. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists orders_quoted on orders (created_at desc, id desc) where quoted`.execute(
    db,
  );
}
