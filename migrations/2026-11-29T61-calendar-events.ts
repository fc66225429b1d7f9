/**
 * What calendar programs were last told of a subscription's end: a program takes a changed event over only when its sequence has grown.
 * `content` is the SHA-256 of the event, hex.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table renewal_feed_events (
      subscription_id uuid primary key references subscriptions (id) on delete cascade,
      content text not null,
      sequence integer not null,
      changed_at timestamptz not null
    )`.execute(db);
}
