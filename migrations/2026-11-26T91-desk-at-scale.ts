/**
 * What the desk reads by index alone, however long the store has run: the sessions of staff that have not ended, since those that have stay,
 * and the acts of one member of staff by what they were. On a large database build the second before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists staff_sessions_live on staff_sessions (expires_at)
    where ended_at is null and verified_at is not null`.execute(db);
  await sql`create index if not exists audit_log_staff_action on audit_log (staff_id, action, id)
    where staff_id is not null`.execute(db);
}
