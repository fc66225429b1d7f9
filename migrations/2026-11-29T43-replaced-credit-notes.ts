/** A refund may have several credit notes, of which one holds. The version that still serves issues one, under the order's lock. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table credit_notes
      drop constraint credit_notes_refund_id_key,
      add constraint credit_notes_refund_id_key unique using index credit_notes_refund_number`.execute(db);
}
