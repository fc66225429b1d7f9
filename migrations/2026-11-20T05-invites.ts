/** Invitations into a company: an email that may have no account yet, the role it is to have, and tokens that lead to it. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table member_invites (
      id uuid primary key,
      customer_id uuid not null references customers (id) on delete cascade,
      email text not null,
      role text not null check (role in ('owner', 'buyer', 'viewer')),
      invited_by uuid references users (id) on delete set null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      accepted_at timestamptz,
      withdrawn_at timestamptz
    )`.execute(db);
  // One open invitation for each email of a company: inviting again renews it.
  await sql`
    create unique index member_invites_open on member_invites (customer_id, lower(email))
    where accepted_at is null and withdrawn_at is null`.execute(db);

  // The version still serving writes a user into each token, which stays allowed.
  await sql`
    alter table one_time_tokens
      alter column user_id drop not null,
      add column invite_id uuid references member_invites (id) on delete cascade,
      add constraint one_time_tokens_holder check ((user_id is null) <> (invite_id is null))`.execute(db);
  await sql`create index one_time_tokens_invite on one_time_tokens (invite_id) where invite_id is not null`.execute(
    db,
  );
}
