/**
 * Credit notes: one for each refund of an invoiced payment, frozen as issued, in series of their own that the invoices' counter
 * counts. The version still serving refunds nothing that has an invoice, and so issues none.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table credit_notes (
      number text primary key check (number ~ '^[A-Z0-9/-]{1,16}$'),
      refund_id uuid not null unique references refunds (id),
      order_id uuid not null references orders (id),
      invoice_number text not null references invoices (number),
      series text not null references invoice_series (series),
      serial integer not null,
      issued_at timestamptz not null,
      language text not null,
      total_minor bigint not null check (total_minor > 0),
      currency text not null references currencies (id),
      facts jsonb not null,
      unique (series, serial)
    )`.execute(db);
  await sql`create index credit_notes_order on credit_notes (order_id, issued_at)`.execute(db);
  await sql`create index credit_notes_invoice on credit_notes (invoice_number)`.execute(db);
}
