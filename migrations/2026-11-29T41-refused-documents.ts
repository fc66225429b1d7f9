/**
 * A document that the invoice registration portal refused is made again from corrected facts; its earlier versions are kept. A credit note
 * can be replaced under a new number, as an invoice can.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table e_invoices add column revision integer not null default 0`.execute(db);
  await sql`
    create table document_revisions (
      number text not null,
      revision integer not null,
      order_id uuid references orders (id),
      facts jsonb not null,
      body jsonb not null,
      error_code text,
      error_words text,
      replaced_at timestamptz not null default now(),
      primary key (number, revision)
    )`.execute(db);
  await sql`create index document_revisions_order on document_revisions (order_id)`.execute(db);
  await sql`alter table credit_notes add column replaced_by text`.execute(db);
}
