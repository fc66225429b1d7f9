/** Members who may approve orders and do not place any. The version still serving knows no such role and gives it to nobody. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ["members", "member_invites"])
    await sql`
      alter table ${sql.table(table)}
        drop constraint ${sql.ref(`${table}_role_check`)},
        add constraint ${sql.ref(`${table}_role_known`)}
          check (role in ('owner', 'buyer', 'approver', 'viewer')) not valid`.execute(db);
}
