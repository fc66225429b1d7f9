/** A company may require a second factor of everybody who belongs to it. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table customers add column requires_second_factor boolean not null default false`.execute(
    db,
  );
}
