/**
 * Of a partner's consent: which tenant it is for, who gave it, with a second factor or without, when, and when it was last used. And
 * the country through whose account at the vendor a tenant was made or won, since a partner sells in its own country only. The
 * version still serving writes none: a tenant without one is read as being in its company's country.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table tenants add column country text references countries (id)`.execute(db);
  await sql`
    update tenants set country = bought.country
    from (
      select distinct on (subscriptions.tenant_id) subscriptions.tenant_id, orders.country
      from subscriptions
      join orders on orders.id = subscriptions.order_id
      order by subscriptions.tenant_id, orders.created_at
    ) as bought
    where bought.tenant_id = tenants.id`.execute(db);

  await sql`
    alter table provider_secrets
      add column issued_for text,
      add column user_name text,
      add column has_mfa boolean,
      add column obtained_at timestamptz,
      add column last_used_at timestamptz`.execute(db);
}
