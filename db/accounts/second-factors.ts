/** Queries on buyers' second factors, and on pending sign-ins. No rules live here. */
import { type RawBuilder, sql } from "kysely";
import type { CustomerId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** State of a company's requirement, for an owner who changes it. */
export interface RequiredFactor {
  isRequired: boolean;
  members: number;
  /** Number of members who have a second factor. */
  withFactor: number;
}

export async function selectRequiredFactor(db: Db, customerId: CustomerId): Promise<RequiredFactor | null> {
  const row = await db
    .selectFrom("customers")
    .leftJoin("members", "members.customer_id", "customers.id")
    .select("customers.requires_second_factor as isRequired")
    .select(sql<number>`count(members.user_id)::int`.as("members"))
    .select(
      sql<number>`count(members.user_id) filter (where ${hasFactor("members.user_id")})::int`.as(
        "withFactor",
      ),
    )
    .where("customers.id", "=", customerId)
    .groupBy("customers.id")
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false when it was already set so */
export async function updateRequiredFactor(
  trx: Trx,
  customerId: CustomerId,
  isRequired: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("customers")
    .set({ requires_second_factor: isRequired })
    .where("id", "=", customerId)
    .where("requires_second_factor", "!=", isRequired)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns one of the user's companies that requires a second factor; null when none does. */
export async function selectRequiringCompany(db: Db, userId: UserId): Promise<string | null> {
  const row = await db
    .selectFrom("members")
    .innerJoin("customers", "customers.id", "members.customer_id")
    .select("customers.name")
    .where("members.user_id", "=", userId)
    .where("customers.requires_second_factor", "=", true)
    .orderBy("members.created_at")
    .limit(1)
    .executeTakeFirst();
  return row?.name ?? null;
}

export interface StoredAuthenticator {
  totpCiphertext: string;
  addedAt: Date;
}

/** Whether the user of a column has any second factor. */
export function hasFactor(column: "members.user_id" | "sessions.user_id" | "users.id"): RawBuilder<boolean> {
  const user = sql.ref(column);
  return sql<boolean>`(
    exists (select from authenticator_apps where authenticator_apps.user_id = ${user})
    or exists (select from passkeys where passkeys.user_id = ${user})
  )`;
}

export async function selectHasFactor(db: Db, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select(hasFactor("users.id").as("hasFactor"))
    .where("id", "=", userId)
    .executeTakeFirst();
  return row?.hasFactor === true;
}

export async function selectAuthenticator(db: Db, userId: UserId): Promise<StoredAuthenticator | null> {
  const app = await db
    .selectFrom("authenticator_apps")
    .select(["totp_ciphertext as totpCiphertext", "added_at as addedAt"])
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return app ?? null;
}

/** @returns false when the user has one already; the transaction stays usable */
export async function insertAuthenticator(
  trx: Trx,
  app: StoredAuthenticator & { userId: UserId; totpStep: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("authenticator_apps")
    .values({
      user_id: app.userId,
      totp_ciphertext: app.totpCiphertext,
      totp_step: app.totpStep,
      added_at: app.addedAt,
    })
    .onConflict((oc) => oc.column("user_id").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** @returns false when there was none */
export async function deleteAuthenticator(trx: Trx, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("authenticator_apps")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Uses a code's time step once. @returns false when it, or a later one, was used before */
export async function claimTotpStep(db: Db, userId: UserId, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("authenticator_apps")
    .set({ totp_step: step })
    .where("user_id", "=", userId)
    .where("totp_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Stores a setup, and replaces an earlier one. */
export async function saveAuthenticatorSetup(
  db: Db,
  setUp: { userId: UserId; totpCiphertext: string; expiresAt: Date },
): Promise<void> {
  const values = { totp_ciphertext: setUp.totpCiphertext, expires_at: setUp.expiresAt };
  await db
    .insertInto("authenticator_set_ups")
    .values({ user_id: setUp.userId, ...values })
    .onConflict((oc) => oc.column("user_id").doUpdateSet(values))
    .execute();
}

export async function selectAuthenticatorSetup(db: Db, userId: UserId, now: Date): Promise<string | null> {
  const row = await db
    .selectFrom("authenticator_set_ups")
    .select("totp_ciphertext")
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.totp_ciphertext ?? null;
}

export async function deleteAuthenticatorSetup(db: Db, userId: UserId): Promise<void> {
  await db.deleteFrom("authenticator_set_ups").where("user_id", "=", userId).execute();
}

/** Replaces all of a user's recovery codes. */
export async function replaceRecoveryCodes(
  trx: Trx,
  userId: UserId,
  hashes: readonly string[],
): Promise<void> {
  await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  if (hashes.length === 0) return;
  await trx
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ user_id: userId, hash, used_at: null })))
    .execute();
}

/** @returns false for an unknown or used code */
export async function claimRecoveryCode(trx: Trx, userId: UserId, hash: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("recovery_codes")
    .set({ used_at: at })
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Counts unused codes. */
export async function countRecoveryCodes(db: Db, userId: UserId): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertPendingSignIn(
  db: Db,
  pending: { keyHash: string; userId: UserId; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto("pending_sign_ins")
    .values({
      key_hash: pending.keyHash,
      user_id: pending.userId,
      expires_at: pending.expiresAt,
      used_at: null,
    })
    .execute();
}

/** Returns the user of a pending sign-in. */
export async function selectPendingSignIn(
  db: Db,
  keyHash: string,
  now: Date,
): Promise<{ userId: UserId; email: string } | null> {
  const row = await db
    .selectFrom("pending_sign_ins")
    .innerJoin("users", "users.id", "pending_sign_ins.user_id")
    .select(["users.id as userId", "users.email"])
    .where("key_hash", "=", keyHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .where("users.disabled_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** @returns false when it was used, was ended, or has expired */
export async function claimPendingSignIn(trx: Trx, keyHash: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("pending_sign_ins")
    .set({ used_at: now })
    .where("key_hash", "=", keyHash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends all pending sign-ins of a user. */
export async function endPendingSignIns(db: Db, userId: UserId): Promise<void> {
  await db.deleteFrom("pending_sign_ins").where("user_id", "=", userId).execute();
}
