/** Queries on one-time tokens. No rules live here. */
import type { InviteId, OrderId, SubscriptionId, UserId } from "#db/ids.ts";
import type { TokenPurpose } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export async function insertToken(
  db: Db,
  token: {
    hash: string;
    purpose: TokenPurpose;
    userId?: UserId;
    orderId?: OrderId | null;
    inviteId?: InviteId;
    subscriptionId?: SubscriptionId;
    expiresAt: Date;
  },
): Promise<void> {
  await db
    .insertInto("one_time_tokens")
    .values({
      hash: token.hash,
      purpose: token.purpose,
      user_id: token.userId,
      order_id: token.orderId,
      invite_id: token.inviteId,
      subscription_id: token.subscriptionId,
      expires_at: token.expiresAt,
    })
    .execute();
}

export interface TokenHolder {
  userId: UserId;
  /** Order that a resume link opens. */
  orderId: OrderId | null;
}

/** Returns the holder of a token that is still usable at `now`. */
export async function selectLiveToken(
  db: Db,
  purpose: TokenPurpose,
  hash: string,
  now: Date,
): Promise<TokenHolder | null> {
  const holder = await db
    .selectFrom("one_time_tokens")
    .select(["user_id as userId", "order_id as orderId"])
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .where("user_id", "is not", null)
    .$narrowType<TokenHolder>()
    .executeTakeFirst();
  return holder ?? null;
}

/** Returns the order of a token without a user, if the token is still usable at `now`. */
export async function selectOrderOfToken(
  db: Db,
  purpose: TokenPurpose,
  hash: string,
  now: Date,
): Promise<OrderId | null> {
  const row = await db
    .selectFrom("one_time_tokens")
    .select("order_id")
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.order_id ?? null;
}

/** Returns a token's subscription, recipient and expiry, if it is still usable at `now`. */
export async function selectSubscriptionOfToken(
  db: Db,
  hash: string,
  now: Date,
): Promise<{ subscriptionId: SubscriptionId; userId: UserId; expiresAt: Date } | null> {
  const row = await db
    .selectFrom("one_time_tokens")
    .select(["subscription_id as subscriptionId", "user_id as userId", "expires_at as expiresAt"])
    .where("hash", "=", hash)
    .where("purpose", "=", "renewal-choice")
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .where("subscription_id", "is not", null)
    .where("user_id", "is not", null)
    .$narrowType<{ subscriptionId: SubscriptionId; userId: UserId }>()
    .executeTakeFirst();
  return row ?? null;
}

/** Consumes a token that is still usable. Of two concurrent callers, only one gets the holder. */
export async function claimToken(
  trx: Trx,
  purpose: TokenPurpose,
  hash: string,
  now: Date,
): Promise<TokenHolder | null> {
  const holder = await trx
    .updateTable("one_time_tokens")
    .set({ used_at: now })
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .where("user_id", "is not", null)
    .returning(["user_id as userId", "order_id as orderId"])
    .$narrowType<TokenHolder>()
    .executeTakeFirst();
  return holder ?? null;
}

/** Consumes all remaining tokens of a user. */
export async function revokeTokensOf(trx: Trx, userId: UserId, now: Date): Promise<void> {
  await trx
    .updateTable("one_time_tokens")
    .set({ used_at: now })
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .execute();
}
