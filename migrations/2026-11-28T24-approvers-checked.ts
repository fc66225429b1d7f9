/** Checks the roles that there were before, without keeping anybody waiting. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["members", "member_invites"])
    await sql`
      alter table ${sql.table(table)} validate constraint ${sql.ref(`${table}_role_known`)}`.execute(db);
}
