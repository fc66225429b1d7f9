/**
 * The desk: staff with their sessions, second factors and set-up links, who acted in the audit log, who has taken what waits for a
 * person, and the indexes by which staff find orders.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create table staff_roles (id text primary key)`.execute(db);
  await sql`insert into staff_roles (id) values ('viewer'), ('support'), ('finance'), ('admin')`.execute(db);
  await sql`
    create table staff (
      id uuid primary key,
      email text not null,
      role text not null references staff_roles (id),
      password_hash text,
      totp_ciphertext text,
      totp_step bigint,
      created_at timestamptz not null default now(),
      removed_at timestamptz
    )`.execute(db);
  await sql`create unique index staff_email on staff (lower(email))`.execute(db);
  await sql`create index staff_role on staff (role)`.execute(db);

  await sql`
    create table staff_sessions (
      id uuid primary key,
      staff_id uuid not null references staff (id),
      token_hash text not null unique,
      client text not null,
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      expires_at timestamptz not null,
      verified_at timestamptz,
      ended_at timestamptz
    )`.execute(db);
  await sql`create index staff_sessions_staff on staff_sessions (staff_id)`.execute(db);

  await sql`
    create table staff_recovery_codes (
      staff_id uuid not null references staff (id),
      hash text not null,
      used_at timestamptz,
      primary key (staff_id, hash)
    )`.execute(db);

  await sql`
    create table staff_links (
      hash text primary key,
      staff_id uuid not null references staff (id),
      totp_ciphertext text not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index staff_links_staff on staff_links (staff_id)`.execute(db);

  await sql`
    create table waiting_items (
      kind text not null,
      key text not null,
      taken_by uuid references staff (id),
      taken_at timestamptz,
      done_at timestamptz,
      primary key (kind, key)
    )`.execute(db);
  await sql`create index waiting_items_staff on waiting_items (taken_by) where taken_by is not null`.execute(
    db,
  );

  await sql`alter table audit_log add column staff_id uuid references staff (id)`.execute(db);
  await sql`create index audit_log_staff on audit_log (staff_id, id) where staff_id is not null`.execute(db);
  await sql`create index audit_log_action on audit_log (action, id)`.execute(db);

  await sql`create index orders_age on orders (created_at, id)`.execute(db);
  await sql`create index orders_stopped on orders (updated_at) where fulfilment_status = 'needs_attention'`.execute(
    db,
  );
  await sql`create index orders_buyer_email on orders (lower(account ->> 'email') text_pattern_ops)`.execute(
    db,
  );
  await sql`create index customers_name on customers (lower(name) text_pattern_ops)`.execute(db);
  await sql`create index addresses_gst_code on addresses (gst_code) where gst_code is not null`.execute(db);
  await sql`create index subscriptions_domain on subscriptions (lower(domain) text_pattern_ops)`.execute(db);
  await sql`create index tenants_domain_words on tenants (lower(domain) text_pattern_ops)`.execute(db);
}
