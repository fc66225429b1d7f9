/** Orders are found by the number of their buyer's purchase order. On a large database build the index before by hand, as those of 2026-11-22T01. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists orders_po_number on orders (lower(po_number) text_pattern_ops)
    where po_number is not null`.execute(db);
}
