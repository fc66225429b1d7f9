/**
 * What a vendor says of a subscription beside its dates and seats: that it is suspended, moved away, or has fewer seats than were
 * bought; and when it was asked. The version still serving reads a moved one as ended, and writes none of this.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table subscriptions
      add column suspended boolean not null default false,
      add column reduced_from integer,
      add column read_at timestamptz,
      drop constraint subscriptions_status_check,
      add constraint subscriptions_status_check
        check (status in ('active', 'expired', 'cancelled', 'transferred'))`.execute(db);
}
