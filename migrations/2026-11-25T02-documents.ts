/**
 * What the tax register said of a GSTIN, and what became of each document at the invoice registration portal. The version still
 * serving knows neither, and issues its invoices without them.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gst_registrations (
      gstin text primary key check (gstin ~ '^[0-9A-Z]{15}$'),
      legal_name text not null,
      status text not null,
      taxpayer_type text not null,
      seen_at timestamptz not null
    )`.execute(db);
  await sql`
    create table e_invoices (
      number text primary key check (number ~ '^[A-Z0-9/-]{1,16}$'),
      kind text not null check (kind in ('INV', 'CRN')),
      account text not null references countries (id),
      order_id uuid references orders (id),
      issued_at timestamptz not null,
      body jsonb not null,
      state text not null check (state in ('pending', 'final', 'failed', 'cancelled')),
      irn text not null check (irn ~ '^[0-9a-f]{64}$'),
      ack_number text,
      acknowledged_at timestamptz,
      signed_qr text,
      signed_invoice text,
      error_code text,
      error_words text,
      tries integer not null default 0,
      asked_at timestamptz,
      next_try_at timestamptz,
      cancel_reason jsonb,
      cancelled_at timestamptz,
      updated_at timestamptz not null default now(),
      check (state not in ('final', 'cancelled')
        or (ack_number is not null and acknowledged_at is not null and signed_qr is not null))
    )`.execute(db);
  await sql`create index e_invoices_unfinished on e_invoices (issued_at) where state in ('pending', 'failed')`.execute(
    db,
  );
  await sql`create index e_invoices_order on e_invoices (order_id)`.execute(db);
}
