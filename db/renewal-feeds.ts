/** Queries on the calendars of companies' renewals. */
import type { CustomerId } from "./ids.ts";
import type { Db, Trx } from "./tables/index.ts";

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

/** In the place of the one before, whose address then opens nothing. */
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
