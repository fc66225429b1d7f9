/** Proof that a company controls the tenant its order goes into: signed in there, made by us, moved with a token, or shown in DNS. */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table control_proofs (
      id uuid primary key,
      customer_id uuid not null references customers (id),
      family text not null check (family in ('microsoft', 'google', 'brio')),
      tenant_external_id text not null,
      method text not null check (method in ('made', 'sign-in', 'transfer-token', 'dns')),
      order_id uuid references orders (id) on delete set null,
      subject text,
      role text,
      authenticated_at timestamptz not null,
      expires_at timestamptz,
      created_at timestamptz not null default now(),
      constraint control_proofs_person check ((method = 'sign-in') = (subject is not null and role is not null)),
      constraint control_proofs_expiry check ((method = 'made') = (expires_at is null))
    )`.execute(db);
  await sql`create index control_proofs_tenant on control_proofs (customer_id, family, tenant_external_id)`.execute(
    db,
  );
  await sql`create index control_proofs_order on control_proofs (order_id) where order_id is not null`.execute(
    db,
  );

  await sql`create index tenants_account_in_any_case on tenants (family, lower(external_id))`.execute(db);

  // What this store made is its buyer's. A tenant that only once approved us as partner is not: that approval said nothing of who
  // had asked for it, so such a tenant gets no row, and its next order asks for a proof.
  await sql`
    insert into control_proofs (id, customer_id, family, tenant_external_id, method, order_id, authenticated_at, expires_at)
    select distinct on (tenants.id)
      gen_random_uuid(), tenants.customer_id, tenants.family, tenants.external_id,
      case when orders.signin ->> 'mode' = 'google-transfer' then 'transfer-token' else 'made' end,
      orders.id, coalesce(orders.fulfilled_at, tenants.created_at),
      case when orders.signin ->> 'mode' = 'google-transfer'
        then coalesce(orders.fulfilled_at, tenants.created_at) + interval '12 months' end
    from tenants
    join orders on orders.tenant_id = tenants.id and orders.customer_id = tenants.customer_id
    where orders.stage = 'stage4' and orders.signin ->> 'mode' in ('new', 'google-new', 'google-transfer')
    order by tenants.id, orders.fulfilled_at`.execute(db);

  // The version still serving knows neither the new state nor links without a holder, and needs not: it never reads them by these.
  await sql`
    alter table invitations
      drop constraint invitations_status_check,
      add constraint invitations_status_check check (status in ('pending', 'accepted', 'timed_out', 'refused')),
      add column watched_from timestamptz`.execute(db);
  await sql`drop index invitations_pending`.execute(db);
  await sql`
    create unique index invitations_pending on invitations (order_id)
    where status in ('pending', 'accepted')`.execute(db);
  await sql`
    alter table one_time_tokens
      drop constraint one_time_tokens_holder,
      add constraint one_time_tokens_holder check (
        case when purpose = 'ask-administrator'
          then user_id is null and invite_id is null and order_id is not null
          else (user_id is null) <> (invite_id is null)
        end)`.execute(db);

  await sql`
    create table domain_challenges (
      order_id uuid primary key references orders (id) on delete cascade,
      domain text not null,
      value text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db);
}
