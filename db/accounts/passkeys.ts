/** Queries on buyers' passkeys and on the challenges for them. No rules live here. */
import { sql } from "kysely";
import type { UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface Passkey {
  /** The credential's id, in base64url. */
  id: string;
  name: string;
  createdAt: Date;
  /** Null before the first sign-in with it. */
  lastUsedAt: Date | null;
}

/** Key that verifies a passkey's signature. */
export interface PasskeySecret {
  id: string;
  userId: UserId;
  publicKey: Uint8Array;
  /** Number of uses that the device reports; 0 if it does not count. */
  counter: number;
}

/** Lists a user's passkeys, oldest first. */
export function selectPasskeys(db: Db, userId: UserId): Promise<Passkey[]> {
  return db
    .selectFrom("passkeys")
    .select(["id", "name", "created_at as createdAt", "last_used_at as lastUsedAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function countPasskeys(db: Db, userId: UserId): Promise<number> {
  const { count } = await db
    .selectFrom("passkeys")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function selectPasskeySecret(db: Db, id: string): Promise<PasskeySecret | null> {
  const row = await db
    .selectFrom("passkeys")
    .select(["id", "user_id as userId", "public_key as publicKey", "counter"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false when it is known already; the transaction stays usable */
export async function insertPasskey(
  trx: Trx,
  passkey: PasskeySecret & { name: string; createdAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("passkeys")
    .values({
      id: passkey.id,
      user_id: passkey.userId,
      public_key: Buffer.from(passkey.publicKey),
      counter: passkey.counter,
      name: passkey.name,
      created_at: passkey.createdAt,
      last_used_at: null,
    })
    .onConflict((oc) => oc.column("id").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Counts a use. @returns false when the passkey was removed, or a concurrent use has counted higher */
export async function recordPasskeyUse(trx: Trx, id: string, counter: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("passkeys")
    .set({ counter, last_used_at: at })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("counter", "<", counter), eb("counter", "=", 0)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** @returns its name; null when the user has no such passkey */
export async function deletePasskey(trx: Trx, userId: UserId, id: string): Promise<string | null> {
  const row = await trx
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("name")
    .executeTakeFirst();
  return row?.name ?? null;
}

/** @returns the number of removed passkeys */
export async function deletePasskeys(trx: Trx, userId: UserId): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("passkeys")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** @param challenge.userId the user who creates a passkey; null for a sign-in, whose user is not known yet */
export async function insertPasskeyChallenge(
  db: Db,
  challenge: { hash: string; userId: UserId | null; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("passkey_challenges")
    .values({ hash: challenge.hash, user_id: challenge.userId, expires_at: challenge.expiresAt })
    .execute();
}

/** Uses a challenge once. @returns false when there is none for this user, or it has expired */
export async function claimPasskeyChallenge(
  db: Db,
  hash: string,
  userId: UserId | null,
  now: Date,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("passkey_challenges")
    .where("hash", "=", hash)
    .where("user_id", userId === null ? "is" : "=", userId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
