/**
 * What the accounts have to remember since: when a buyer first saw their sign-in details, which mail a recipient's server refused for
 * good, and for which browser a session was made that it has not used yet. The version still serving writes none of them.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table credentials add column first_shown_at timestamptz`.execute(db);
  await sql`alter table mails add column refused_at timestamptz`.execute(db);
  await sql`alter table sessions add column handover_key text`.execute(db);
  await sql`create index sessions_handover on sessions (handover_key) where handover_key is not null`.execute(
    db,
  );
}
