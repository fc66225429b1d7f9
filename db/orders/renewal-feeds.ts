/** Queries on the renewal calendars of companies. */
import { sql } from "kysely";
import type { CustomerId, SubscriptionId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface RenewalFeed {
  customerId: CustomerId;
  withAmounts: boolean;
  language: string;
  createdAt: Date;
}

const feeds = (db: Db) =>
  db
    .selectFrom("renewal_feeds")
    .select([
      "customer_id as customerId",
      "with_amounts as withAmounts",
      "language",
      "created_at as createdAt",
    ]);

export async function selectFeed(db: Db, customerId: CustomerId): Promise<RenewalFeed | null> {
  return (await feeds(db).where("customer_id", "=", customerId).executeTakeFirst()) ?? null;
}

export async function selectFeedByHash(db: Db, hash: string): Promise<RenewalFeed | null> {
  return (await feeds(db).where("hash", "=", hash).executeTakeFirst()) ?? null;
}

/** Replaces the company's feed; the old address stops working. */
export async function saveFeed(trx: Trx, feed: RenewalFeed & { hash: string }): Promise<void> {
  const { customerId, hash, withAmounts, language, createdAt } = feed;
  const values = { hash, with_amounts: withAmounts, language, created_at: createdAt };
  await trx
    .insertInto("renewal_feeds")
    .values({ customer_id: customerId, ...values })
    .onConflict((conflict) => conflict.column("customer_id").doUpdateSet(values))
    .execute();
}

export async function deleteFeed(trx: Trx, customerId: CustomerId): Promise<void> {
  await trx.deleteFrom("renewal_feeds").where("customer_id", "=", customerId).execute();
}

/** Version of a calendar event: a sequence number that grows with each change, and the time of the last change. */
export interface EventVersion {
  sequence: number;
  changedAt: Date;
}

/**
 * Stores the current content of a calendar's events. An event whose content changed gets the next number.
 * @param contents hash of the content by subscription
 */
export async function saveEventVersions(
  db: Db,
  contents: ReadonlyMap<SubscriptionId, string>,
  now: Date,
): Promise<Map<SubscriptionId, EventVersion>> {
  // Sorted, so that two concurrent readers of the calendar do not deadlock.
  const ids = [...contents.keys()].sort();
  if (ids.length === 0) return new Map();
  await db
    .insertInto("renewal_feed_events")
    .values(
      ids.map((id) => ({
        subscription_id: id,
        content: contents.get(id) ?? "",
        sequence: 0,
        changed_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column("subscription_id")
        .doUpdateSet({
          content: (eb) => eb.ref("excluded.content"),
          sequence: sql<number>`renewal_feed_events.sequence + 1`,
          changed_at: (eb) => eb.ref("excluded.changed_at"),
        })
        .whereRef("renewal_feed_events.content", "<>", "excluded.content"),
    )
    .execute();
  const rows = await db
    .selectFrom("renewal_feed_events")
    .select(["subscription_id", "sequence", "changed_at"])
    .where("subscription_id", "in", ids)
    .execute();
  return new Map(
    rows.map(({ subscription_id, sequence, changed_at }) => [
      subscription_id,
      { sequence, changedAt: changed_at },
    ]),
  );
}
