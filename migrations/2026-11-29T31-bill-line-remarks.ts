/** Why a person must look at a line of a vendor's bill. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table vendor_bill_lines add column remark text`.execute(db);
}
