/** Who buys: users and their sessions, companies (customers), their members and addresses, one-time tokens, rate limits, audit. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      email text not null,
      first_name text not null,
      last_name text not null,
      phone text not null,
      password_hash text,
      role text not null default 'CUSTOMER',
      email_verified_at timestamptz,
      disabled_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index users_email on users (lower(email))`.execute(db);

  await sql`
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null default now(),
      last_seen_at timestamptz not null default now(),
      expires_at timestamptz not null,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index sessions_user on sessions (user_id) where revoked_at is null`.execute(db);
  await sql`create index sessions_expiry on sessions (expires_at)`.execute(db);

  await sql`
    create table customers (
      id uuid primary key,
      name text not null,
      country text not null check (country in ('IN', 'US')),
      created_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table members (
      customer_id uuid not null references customers (id) on delete cascade,
      user_id uuid not null references users (id) on delete cascade,
      role text not null check (role in ('owner', 'buyer', 'viewer')),
      created_at timestamptz not null default now(),
      primary key (customer_id, user_id)
    )`.execute(db);
  await sql`create index members_user on members (user_id)`.execute(db);

  await sql`
    create table addresses (
      id uuid primary key,
      customer_id uuid not null references customers (id) on delete cascade,
      gst_code text,
      add1 text not null,
      add2 text not null,
      city text not null,
      state text not null,
      pincode text not null,
      country text not null check (country in ('IN', 'US')),
      organisation_registration_number text not null,
      email text not null,
      first_name text not null,
      last_name text not null,
      phone text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index addresses_customer on addresses (customer_id, created_at)`.execute(db);

  await sql`
    create table one_time_tokens (
      hash text primary key,
      purpose text not null,
      user_id uuid not null references users (id) on delete cascade,
      order_id uuid,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index one_time_tokens_user on one_time_tokens (user_id, purpose)`.execute(db);
  await sql`create index one_time_tokens_expiry on one_time_tokens (expires_at)`.execute(db);

  await sql`
    create table rate_limits (
      key text not null,
      window_start timestamptz not null,
      count integer not null,
      primary key (key, window_start)
    )`.execute(db);
  await sql`create index rate_limits_window on rate_limits (window_start)`.execute(db);

  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz not null default now(),
      user_id uuid,
      action text not null,
      subject text not null,
      data jsonb not null default '{}'
    )`.execute(db);
  await sql`create index audit_log_subject on audit_log (subject, id)`.execute(db);
}
