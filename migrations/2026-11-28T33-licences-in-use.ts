/** How many licences were assigned to people when a vendor last said so, of how many. A reading that does not say so leaves them. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table vendor_readings
      add column in_use integer,
      add column in_use_of integer,
      add column in_use_read_at timestamptz`.execute(db);
}
