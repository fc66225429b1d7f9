/** The indexes of the columns that the migrations before have added, in one of their own so that they can be built ahead. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists subscriptions_to_remind
    on subscriptions (term, (case when reminded_end = end_date then reminded_days end), end_date)
    where status = 'active' and not suspended and next_term_start is null`.execute(db);
  await sql`create index if not exists proformas_uncertified on proformas (order_id)
    where withheld_minor > 0 and not certified`.execute(db);
  await sql`create index if not exists e_invoices_to_chase on e_invoices (issued_at)
    where state = 'pending' or (state = 'failed' and late_told_at is null) or (state = 'final' and cancel_reason is not null)`.execute(
    db,
  );
}
