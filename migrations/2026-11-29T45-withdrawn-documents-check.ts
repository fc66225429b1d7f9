/** Validates the constraint on registered documents, which every stored row satisfies. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table e_invoices validate constraint e_invoices_check`.execute(db);
}
