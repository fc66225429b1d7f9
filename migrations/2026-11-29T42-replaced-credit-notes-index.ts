/** One credit note of a refund holds at a time. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unique index if not exists credit_notes_refund_number on credit_notes (refund_id, number)`.execute(
    db,
  );
  await sql`create unique index if not exists credit_notes_refund_holding on credit_notes (refund_id) where replaced_by is null`.execute(
    db,
  );
}
