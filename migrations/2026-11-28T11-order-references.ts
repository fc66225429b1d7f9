/** By what the buyer's own books know an order: its purchase order, a cost centre, a note. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table orders
    add column po_number text,
    add column cost_centre text,
    add column buyer_note text`.execute(db);
}
