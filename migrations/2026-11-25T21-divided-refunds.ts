/**
 * A refund may give back what was paid beyond an invoice, and a cancellation may need several refunds of an order that was paid in
 * parts. The version still serving writes neither: its refunds are wholly of what was invoiced, and it names one in the part of its
 * cancellation, where the next version reads it too.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table refunds
      add column surplus_minor bigint not null default 0 check (surplus_minor >= 0),
      add column cancellation_id uuid references cancellations (id)`.execute(db);
  await sql`create index refunds_cancellation on refunds (cancellation_id) where cancellation_id is not null`.execute(
    db,
  );
  // Refunds of a cancellation are found by the part that names them.
  await sql`create index cancellation_parts_refund on cancellation_parts (refund_id) where refund_id is not null`.execute(
    db,
  );
}
