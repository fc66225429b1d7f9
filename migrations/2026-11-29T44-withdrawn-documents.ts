/** A document can be cancelled without an acknowledgement: replaced under another number before it was registered. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table e_invoices
      drop constraint e_invoices_check,
      add constraint e_invoices_check check (state <> 'final'
        or (ack_number is not null and acknowledged_at is not null and signed_qr is not null)) not valid`.execute(
    db,
  );
}
