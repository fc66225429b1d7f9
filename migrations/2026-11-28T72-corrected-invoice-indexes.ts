/** One invoice of an order holds at a time, and a correction has one credit note. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unique index if not exists invoices_order_number on invoices (order_id, number)`.execute(
    db,
  );
  await sql`create unique index if not exists invoices_holding on invoices (order_id) where replaced_by is null`.execute(
    db,
  );
  await sql`create unique index if not exists credit_notes_correction on credit_notes (correction_id)`.execute(
    db,
  );
}
