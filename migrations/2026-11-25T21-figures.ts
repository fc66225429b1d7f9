/**
 * Indexes by which figures of the whole store are read along the time of a payment, a fulfilment or a refund, and the few rows that wait
 * for a person; when each clock job last succeeded. On a large database build the indexes before by hand, as those of 2026-11-22T01.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index if not exists orders_paid_at on orders (paid_at) include (family, country)
    where paid_at is not null`.execute(db);
  await sql`create index if not exists orders_fulfilled_at on orders (fulfilled_at) include (family, country, paid_at)
    where fulfilled_at is not null`.execute(db);
  await sql`create index if not exists payments_settled_at on payments (settled_at) where settled_at is not null`.execute(
    db,
  );
  await sql`create index if not exists payments_unsettled on payments (created_at)
    where status in ('returned', 'mismatch', 'surplus')`.execute(db);
  await sql`create index if not exists refunds_ended on refunds (updated_at) where status in ('processed', 'failed')`.execute(
    db,
  );
  await sql`create index if not exists disputes_undecided on disputes (respond_by)
    where status in ('open', 'review', 'action')`.execute(db);
  await sql`create index if not exists disputes_lost on disputes (updated_at) where status = 'lost'`.execute(
    db,
  );
  await sql`create index if not exists cancellations_with_a_person on cancellations (created_at)
    where needs_person and finished_at is null`.execute(db);
  await sql`create index if not exists provider_events_of_provider on provider_events (provider, received_at)`.execute(
    db,
  );
  await sql`create index if not exists mails_refused on mails (refused_at) where refused_at is not null`.execute(
    db,
  );
  await sql`
    create table clock_jobs (
      name text primary key,
      succeeded_at timestamptz not null
    )`.execute(db);
}
