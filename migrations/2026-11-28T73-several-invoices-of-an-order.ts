/** An order may have several invoices, of which one holds. The version that still serves issues one at a time, under the order's lock. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table invoices
      drop constraint invoices_order_id_key,
      add constraint invoices_order_id_key unique using index invoices_order_number`.execute(db);
  await sql`alter table credit_notes validate constraint credit_notes_cause`.execute(db);
}
