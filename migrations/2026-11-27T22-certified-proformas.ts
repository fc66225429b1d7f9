/**
 * Which proformas have certificates for all that was withheld: the reminders, every ten minutes, look at the others alone. The version still
 * serving does not write it down, and what it books is looked at on.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table proformas add column certified boolean not null default false`.execute(db);
  // Whole rupees aside: tax is rounded.
  await sql`
    update proformas f set certified = true
    where withheld_minor > 0 and withheld_minor - 100 <= (
      select sum(amount_minor) from tds_certificates where proforma_number = f.number)`.execute(db);
}
