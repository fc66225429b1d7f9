/** Passkeys of buyers, and what a browser is asked to sign with them. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table passkeys (
      id text primary key,
      user_id uuid not null references users (id) on delete cascade,
      public_key bytea not null,
      counter bigint not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index passkeys_user on passkeys (user_id)`.execute(db);

  await sql`
    create table passkey_challenges (
      hash text primary key,
      user_id uuid references users (id) on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index passkey_challenges_user on passkey_challenges (user_id)`.execute(db);
  await sql`create index passkey_challenges_expiry on passkey_challenges (expires_at)`.execute(db);
}
