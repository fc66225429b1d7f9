/** Signing in with Outlook: which outside identity is which user, and identities that wait for a proof of their email. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table identities (
      issuer text not null,
      subject text not null,
      user_id uuid not null references users (id) on delete cascade,
      proof text not null check (proof in ('email', 'password')),
      created_at timestamptz not null default now(),
      primary key (issuer, subject)
    )`.execute(db);
  await sql`create index identities_user on identities (user_id)`.execute(db);

  await sql`
    create table identity_proofs (
      id uuid primary key,
      key_hash text not null unique,
      issuer text not null,
      subject text not null,
      first_name text not null,
      last_name text not null,
      email text,
      codes_sent integer not null default 0,
      code_expires_at timestamptz,
      return_path text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index identity_proofs_expiry on identity_proofs (expires_at)`.execute(db);
}
