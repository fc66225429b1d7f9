/** From what and from where a session was opened, and the browsers that a user has signed in with before. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table sessions add column client text, add column network text, add column country text`.execute(
    db,
  );
  await sql`
    create table known_devices (
      user_id uuid not null references users (id) on delete cascade,
      key_hash text not null,
      last_used_at timestamptz not null,
      primary key (user_id, key_hash)
    )`.execute(db);
  await sql`create index known_devices_age on known_devices (last_used_at)`.execute(db);
}
