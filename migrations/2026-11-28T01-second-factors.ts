/** The second factor of buyers: authenticator apps, recovery codes, and sign-ins that still wait for a code. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table authenticator_apps (
      user_id uuid primary key references users (id) on delete cascade,
      totp_ciphertext text not null,
      totp_step bigint not null,
      added_at timestamptz not null
    )`.execute(db);

  await sql`
    create table authenticator_set_ups (
      user_id uuid primary key references users (id) on delete cascade,
      totp_ciphertext text not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index authenticator_set_ups_expiry on authenticator_set_ups (expires_at)`.execute(db);

  await sql`
    create table recovery_codes (
      user_id uuid not null references users (id) on delete cascade,
      hash text not null,
      used_at timestamptz,
      primary key (user_id, hash)
    )`.execute(db);

  await sql`
    create table pending_sign_ins (
      key_hash text primary key,
      user_id uuid not null references users (id) on delete cascade,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index pending_sign_ins_user on pending_sign_ins (user_id)`.execute(db);
  await sql`create index pending_sign_ins_expiry on pending_sign_ins (expires_at)`.execute(db);
}
