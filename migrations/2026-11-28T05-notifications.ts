/** Which mails a user has switched off, and the links in mails that do it. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table muted_mails (
      user_id uuid not null references users (id) on delete cascade,
      topic text not null,
      muted_at timestamptz not null,
      primary key (user_id, topic)
    )`.execute(db);
  await sql`
    create table unsubscribe_links (
      hash text primary key,
      user_id uuid not null references users (id) on delete cascade,
      topic text not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index unsubscribe_links_user on unsubscribe_links (user_id)`.execute(db);
  await sql`create index unsubscribe_links_expiry on unsubscribe_links (expires_at)`.execute(db);
}
