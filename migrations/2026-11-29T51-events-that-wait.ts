/**
 * What the store did with an event of a payment provider. One about a payment that is not known yet waits for it, and one that cannot
 * be read is shown to staff.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table provider_events
      add column state text not null default 'new',
      add column payment_id text,
      add column problem text,
      add constraint provider_events_state_known
        check (state in ('new', 'applied', 'waiting', 'foreign', 'unused', 'unreadable')) not valid`.execute(
    db,
  );
}
