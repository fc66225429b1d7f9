/** An invoice may be replaced by a corrected one, with a credit note that is of no refund. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invoices add column replaced_by text`.execute(db);
  await sql`
    alter table credit_notes
      add column correction_id uuid,
      alter column refund_id drop not null,
      add constraint credit_notes_cause check ((refund_id is null) <> (correction_id is null)) not valid`.execute(
    db,
  );
}
