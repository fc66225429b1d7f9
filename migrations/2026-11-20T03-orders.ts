/** The purchase: orders and lines, payments, fulfilment with its provider requests, tenants, subscriptions, credentials, mail. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table tenants (
      id uuid primary key,
      customer_id uuid not null references customers (id),
      family text not null check (family in ('microsoft', 'google', 'brio')),
      external_id text not null,
      domain text not null,
      name text not null,
      created_at timestamptz not null default now(),
      unique (customer_id, family, external_id)
    )`.execute(db);

  await sql`
    create table orders (
      id uuid primary key,
      kind text not null check (kind in ('NEW', 'TUP', 'ADDON', 'ADD', 'RENEW')),
      family text not null check (family in ('microsoft', 'google', 'brio')),
      item_id text not null references catalogue_items (id),
      country text not null check (country in ('IN', 'US')),
      currency text not null check (currency in ('INR', 'USD')),
      stage text not null default 'none' check (stage in ('none', 'stage1', 'stage2', 'stage3', 'stage4')),
      payment_status text not null default 'none'
        check (payment_status in ('none', 'pending', 'completed', 'failed', 'refunded')),
      fulfilment_status text not null default 'not_due' check (fulfilment_status in
        ('not_due', 'waiting_for_signin', 'queued', 'running', 'done', 'needs_attention')),
      version integer not null default 1,
      user_id uuid references users (id),
      customer_id uuid references customers (id),
      tenant_id uuid references tenants (id),
      subscription_id uuid,
      parent_subscription_id uuid,
      draft_key text,
      details jsonb not null default '{}',
      account jsonb,
      signin jsonb,
      tax_rate_basis_points integer not null,
      subtotal_minor bigint not null,
      tax_minor bigint not null,
      rounding_minor bigint not null,
      total_minor bigint not null check (total_minor >= 0),
      priced_at timestamptz not null,
      terms_accepted_at timestamptz,
      paid_at timestamptz,
      fulfilled_at timestamptz,
      reminders_sent integer not null default 0,
      resume_mailed_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index orders_user on orders (user_id, created_at desc, id)`.execute(db);
  await sql`create index orders_customer on orders (customer_id, created_at desc, id)`.execute(db);
  await sql`create index orders_draft on orders (draft_key) where draft_key is not null`.execute(db);
  await sql`create index orders_unpaid on orders (updated_at) where payment_status = 'pending'`.execute(db);
  await sql`create index orders_waiting on orders (paid_at) where fulfilment_status = 'waiting_for_signin'`.execute(
    db,
  );
  await sql`create index orders_left on orders (updated_at) where payment_status = 'none'`.execute(db);
  await sql`create index orders_tenant on orders (tenant_id)`.execute(db);

  await sql`
    create table order_lines (
      order_id uuid not null references orders (id) on delete cascade,
      position integer not null,
      item_id text not null references catalogue_items (id),
      name text not null,
      sku text not null,
      term text not null check (term in ('P1M', 'P1Y')),
      billing_cycle text not null check (billing_cycle in ('monthly', 'annual')),
      quantity integer not null check (quantity > 0),
      unit_price_minor bigint not null,
      signup_price_minor bigint,
      subtotal_minor bigint not null,
      primary key (order_id, position)
    )`.execute(db);

  await sql`
    create table payment_intents (
      id uuid primary key,
      order_id uuid not null references orders (id),
      receipt text not null unique,
      provider_order_id text unique,
      amount_minor bigint not null,
      currency text not null check (currency in ('INR', 'USD')),
      status text not null check (status in ('open', 'superseded', 'paid')),
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create unique index payment_intents_open on payment_intents (order_id) where status <> 'superseded'`.execute(
    db,
  );
  await sql`create index payment_intents_order on payment_intents (order_id)`.execute(db);

  await sql`
    create table payments (
      id uuid primary key,
      order_id uuid not null references orders (id),
      provider_payment_id text not null unique,
      provider_order_id text not null,
      amount_minor bigint,
      currency text,
      method text,
      status text not null check (status in ('returned', 'captured', 'mismatch', 'surplus', 'failed')),
      problem text,
      created_at timestamptz not null default now(),
      settled_at timestamptz
    )`.execute(db);
  await sql`create index payments_order on payments (order_id)`.execute(db);
  await sql`create unique index payments_one_captured on payments (order_id) where status = 'captured'`.execute(
    db,
  );

  await sql`
    create table provider_events (
      provider text not null,
      event_id text not null,
      type text not null,
      payload jsonb not null,
      received_at timestamptz not null default now(),
      processed_at timestamptz,
      primary key (provider, event_id)
    )`.execute(db);

  await sql`
    create table fulfilments (
      order_id uuid primary key references orders (id),
      status text not null check (status in ('queued', 'running', 'done', 'needs_attention')),
      attempts integer not null default 0,
      last_error text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table provider_requests (
      order_id uuid not null references orders (id),
      step text not null,
      request_id uuid not null unique,
      status text not null check (status in ('sent', 'succeeded')),
      unanswered boolean not null default true,
      doubtful boolean not null default false,
      result jsonb,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      primary key (order_id, step)
    )`.execute(db);

  await sql`
    create table invitations (
      id uuid primary key,
      order_id uuid not null references orders (id),
      username text not null,
      domain text not null,
      tenant_external_id text,
      status text not null check (status in ('pending', 'accepted', 'timed_out')),
      link text,
      created_at timestamptz not null default now(),
      checked_at timestamptz,
      expires_at timestamptz not null,
      accepted_at timestamptz
    )`.execute(db);
  await sql`create unique index invitations_pending on invitations (order_id) where status <> 'timed_out'`.execute(
    db,
  );
  await sql`create index invitations_order on invitations (order_id, created_at desc)`.execute(db);

  await sql`
    create table subscriptions (
      id uuid primary key,
      customer_id uuid not null references customers (id),
      tenant_id uuid references tenants (id),
      order_id uuid references orders (id),
      item_id text not null references catalogue_items (id),
      family text not null check (family in ('microsoft', 'google', 'brio')),
      external_id text not null,
      domain text not null,
      quantity integer not null check (quantity >= 0),
      term text not null check (term in ('P1M', 'P1Y')),
      billing_cycle text not null check (billing_cycle in ('monthly', 'annual')),
      status text not null check (status in ('active', 'expired', 'cancelled')),
      parent_subscription_id uuid references subscriptions (id),
      start_date timestamptz not null,
      end_date timestamptz not null,
      created_at timestamptz not null default now(),
      unique (family, external_id)
    )`.execute(db);
  await sql`create index subscriptions_customer on subscriptions (customer_id, status, end_date)`.execute(db);
  await sql`create index subscriptions_end on subscriptions (end_date) where status = 'active'`.execute(db);

  await sql`
    create table credentials (
      order_id uuid not null references orders (id),
      purpose text not null,
      username text not null,
      secret_ciphertext text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      primary key (order_id, purpose)
    )`.execute(db);
  await sql`create index credentials_expiry on credentials (expires_at)`.execute(db);

  await sql`
    create table mails (
      id uuid primary key,
      kind text not null,
      dedupe_key text not null unique,
      recipient text not null,
      user_id uuid,
      order_id uuid,
      data jsonb not null default '{}',
      created_at timestamptz not null default now(),
      sent_at timestamptz,
      last_error text
    )`.execute(db);
  await sql`create index mails_unsent on mails (created_at) where sent_at is null`.execute(db);
  await sql`create index mails_order on mails (order_id)`.execute(db);

  await sql`
    create table provider_secrets (
      provider text primary key,
      secret_ciphertext text not null,
      updated_at timestamptz not null default now()
    )`.execute(db);

  await sql`
    create table worker_heartbeats (
      worker_id text primary key,
      seen_at timestamptz not null default now()
    )`.execute(db);
}
