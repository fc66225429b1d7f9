/** A settled payment finds the events that waited for it, and staff find those that were not used. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists provider_events_waiting on provider_events (payment_id)
    where state = 'waiting'`.execute(db);
  await sql`create index if not exists provider_events_not_used on provider_events (received_at)
    where state in ('waiting', 'foreign', 'unused', 'unreadable')`.execute(db);
}
