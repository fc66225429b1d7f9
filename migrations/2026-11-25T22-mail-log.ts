/**
 * The log of mails is read newest first, of all, of a reader or of a kind; addresses that a server refused for good are sent nothing
 * more until a person lifts that. On a large database build the indexes before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index if not exists mails_log on mails (created_at, id)`.execute(db);
  await sql`create index if not exists mails_recipient on mails (lower(recipient), created_at, id)`.execute(
    db,
  );
  await sql`create index if not exists mails_kind on mails (kind, created_at, id)`.execute(db);
  await sql`
    create table mail_suppressions (
      email text primary key check (email = lower(email)),
      reason text not null,
      mail_id uuid not null references mails (id) on delete cascade,
      since timestamptz not null default now()
    )`.execute(db);
  await sql`create index mail_suppressions_mail on mail_suppressions (mail_id)`.execute(db);
  await sql`create index mail_suppressions_list on mail_suppressions (since)`.execute(db);
}
