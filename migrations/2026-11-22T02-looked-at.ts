/**
 * When an unsettled payment is looked up next, and when an account was last asked to be synced: each at its own time, so that
 * those nobody finishes do not keep the others waiting. What the version still serving writes gets its times by default.
 */
import { type Kysely, sql } from "kysely";

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's table types
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table payment_intents
      add column looks integer not null default 0,
      add column looked_at timestamptz,
      add column next_look_at timestamptz`.execute(db);
  await sql`alter table payment_intents alter column next_look_at set default now() + interval '15 minutes'`.execute(
    db,
  );
  // As long as the sweeper looked at them until now.
  await sql`
    update payment_intents set next_look_at = created_at + interval '15 minutes'
    where status <> 'paid' and created_at > now() - interval '7 days'`.execute(db);
  await sql`create index payment_intents_due on payment_intents (next_look_at)
    where status <> 'paid' and provider_order_id is not null and next_look_at is not null`.execute(db);

  await sql`alter table tenants add column sync_asked_at timestamptz`.execute(db);
}
