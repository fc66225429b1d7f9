/** Queries on users. No rules live here. */
import { sql } from "kysely";
import type { UserId } from "#db/ids.ts";
import type { UserRow } from "#db/tables/accounts.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** A user with fields that must not leave the server. */
export interface StoredUser {
  id: UserId;
  /** Spelling entered at sign-up, trimmed. */
  email: string;
  firstName: string;
  lastName: string;
  /** 10 digits. */
  phone: string;
  /** CUSTOMER for everyone who buys (docs/specification.md, section 6). */
  role: string;
  passwordHash: string | null;
  emailVerifiedAt: Date | null;
  disabledAt: Date | null;
  /** Time at which staff locked the account; null when it is not locked. */
  lockedAt: Date | null;
  /** Language of the mails to the user; null if unknown. */
  language: string | null;
}

function toUser(row: UserRow): StoredUser {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    role: row.role,
    passwordHash: row.password_hash,
    emailVerifiedAt: row.email_verified_at,
    disabledAt: row.disabled_at,
    lockedAt: row.locked_at,
    language: row.language,
  };
}

/** @returns false when the email is taken, ignoring case; the transaction stays usable */
export async function insertUser(
  trx: Trx,
  user: Pick<StoredUser, "id" | "email" | "firstName" | "lastName" | "phone" | "passwordHash" | "language">,
): Promise<boolean> {
  const result = await trx
    .insertInto("users")
    .values({
      id: user.id,
      email: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
      phone: user.phone,
      password_hash: user.passwordHash,
      language: user.language,
    })
    .onConflict((oc) => oc.expression(sql`lower(email)`).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function selectUser(db: Db, id: UserId): Promise<StoredUser | null> {
  const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

/** Finds a user, folding case as the database's unique index does. */
export async function selectUserByEmail(db: Db, email: string): Promise<StoredUser | null> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where(sql<string>`lower(email)`, "=", sql<string>`lower(${email})`)
    .executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

/** Locks the row until the transaction ends. @returns null when there is no such user */
export async function lockUser(trx: Trx, id: UserId): Promise<StoredUser | null> {
  const row = await trx.selectFrom("users").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  return row === undefined ? null : toUser(row);
}

/** Locks the row of an account that is not deleted, if its password hash is still this one. */
export async function lockUserWithPassword(trx: Trx, id: UserId, passwordHash: string): Promise<boolean> {
  const row = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("password_hash", "=", passwordHash)
    .where("disabled_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** @returns false when there is no such user */
export async function updatePassword(trx: Trx, id: UserId, passwordHash: string): Promise<boolean> {
  const result = await trx
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where("id", "=", id)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Replaces a hash by another of the same password. @returns false when another password has been set since */
export async function replacePasswordHash(
  db: Db,
  id: UserId,
  oldHash: string | null,
  newHash: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ password_hash: newHash })
    .where("id", "=", id)
    .where("password_hash", "=", oldHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** @returns false when the account is locked already */
export async function markLocked(trx: Trx, id: UserId, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ locked_at: at })
    .where("id", "=", id)
    .where("locked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** @returns false when the account is not locked */
export async function markUnlocked(trx: Trx, id: UserId): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ locked_at: null })
    .where("id", "=", id)
    .where("locked_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Keeps the date of the first proof. @returns whether this was the first */
export async function markEmailVerified(db: Db, id: UserId, at: Date): Promise<boolean> {
  const result = await db
    .updateTable("users")
    .set({ email_verified_at: at })
    .where("id", "=", id)
    .where("email_verified_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function updateLanguage(db: Db, id: UserId, language: string): Promise<void> {
  await db.updateTable("users").set({ language }).where("id", "=", id).execute();
}

export async function deletePassword(trx: Trx, id: UserId): Promise<void> {
  await trx.updateTable("users").set({ password_hash: null }).where("id", "=", id).execute();
}

/** Replaces the name and removes the phone, because both came from an unverified source. */
export async function replacePerson(
  trx: Trx,
  id: UserId,
  name: { firstName: string; lastName: string },
): Promise<void> {
  await trx
    .updateTable("users")
    .set({ first_name: name.firstName, last_name: name.lastName, phone: "" })
    .where("id", "=", id)
    .execute();
}
