/**
 * Staff find orders and companies by any part of an email, a name, a GSTIN or a domain. On a large database build the indexes before by
 * hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists users_email_part on users using gin (lower(email) gin_trgm_ops)`.execute(
    db,
  );
  await sql`create index if not exists orders_email_part
    on orders using gin (lower(account ->> 'email') gin_trgm_ops)`.execute(db);
  await sql`create index if not exists quote_requests_email_part
    on quote_requests using gin (lower(email) gin_trgm_ops)`.execute(db);
  await sql`create index if not exists customers_name_part on customers using gin (lower(name) gin_trgm_ops)`.execute(
    db,
  );
  await sql`create index if not exists addresses_gst_code_part
    on addresses using gin (lower(gst_code) gin_trgm_ops)`.execute(db);
  await sql`create index if not exists gst_registrations_legal_name_part
    on gst_registrations using gin (lower(legal_name) gin_trgm_ops)`.execute(db);
  await sql`create index if not exists gst_registrations_trade_name_part
    on gst_registrations using gin (lower(trade_name) gin_trgm_ops) where trade_name <> ''`.execute(db);
  await sql`create index if not exists subscriptions_domain_part
    on subscriptions using gin (lower(domain) gin_trgm_ops)`.execute(db);
  await sql`create index if not exists tenants_domain_part on tenants using gin (lower(domain) gin_trgm_ops)`.execute(
    db,
  );
}
