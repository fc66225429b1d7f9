/** Queries on staff: accounts, set-up links, second factors and sessions. No rules live here. */
import { sql } from "kysely";
import { newId, type StaffId } from "#db/ids.ts";
import type { StaffRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface Staff {
  id: StaffId;
  email: string;
  role: StaffRole;
  createdAt: Date;
  hasPassword: boolean;
  hasSecondFactor: boolean;
}

/** Secrets that a sign-in is checked against. */
export interface StaffSecrets {
  passwordHash: string | null;
  totpCiphertext: string | null;
}

const present = (db: Db) =>
  db
    .selectFrom("staff")
    .select(({ eb }) => [
      "staff.id",
      "staff.email",
      "staff.role",
      "staff.created_at as createdAt",
      eb("staff.password_hash", "is not", null).$castTo<boolean>().as("hasPassword"),
      eb("staff.totp_ciphertext", "is not", null).$castTo<boolean>().as("hasSecondFactor"),
    ])
    .where("staff.removed_at", "is", null);

/** Lists staff who have not been removed, by email. */
export function listStaff(db: Db): Promise<Staff[]> {
  return present(db).orderBy("email").execute();
}

export async function findStaff(db: Db, id: StaffId): Promise<Staff | null> {
  return (await present(db).where("id", "=", id).executeTakeFirst()) ?? null;
}

export async function findStaffByEmail(db: Db, email: string): Promise<Staff | null> {
  return (await present(db).where(sql`lower(email)`, "=", email.toLowerCase()).executeTakeFirst()) ?? null;
}

/** Finds a member of staff as findStaff does, and locks the row until the transaction ends. */
export async function lockStaff(trx: Trx, id: StaffId): Promise<Staff | null> {
  return (await present(trx).where("id", "=", id).forUpdate().executeTakeFirst()) ?? null;
}

export async function readSecrets(db: Db, id: StaffId): Promise<StaffSecrets> {
  const row = await db
    .selectFrom("staff")
    .select(["password_hash as passwordHash", "totp_ciphertext as totpCiphertext"])
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row ?? { passwordHash: null, totpCiphertext: null };
}

/** Creates an account, or restores a removed one without any secret. @returns null when the email has one already */
export async function insertStaff(trx: Trx, email: string, role: StaffRole): Promise<StaffId | null> {
  const row = await trx
    .insertInto("staff")
    .values({
      id: newId<StaffId>(),
      email: email.toLowerCase(),
      role,
      password_hash: null,
      totp_ciphertext: null,
      totp_step: null,
      removed_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(email)`)
        .doUpdateSet({ role, removed_at: null })
        .where("staff.removed_at", "is not", null),
    )
    .returning("id")
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function updateRole(trx: Trx, id: StaffId, role: StaffRole): Promise<void> {
  await trx.updateTable("staff").set({ role }).where("id", "=", id).execute();
}

export async function markRemoved(trx: Trx, id: StaffId, at: Date): Promise<void> {
  await trx.updateTable("staff").set({ removed_at: at }).where("id", "=", id).execute();
}

/** Stores the secrets that were set through a set-up link. @param secrets.totpStep of the code that proved the second factor */
export async function updateSecrets(
  trx: Trx,
  id: StaffId,
  secrets: { passwordHash: string | null; totpCiphertext: string | null; totpStep: number | null },
): Promise<void> {
  await trx
    .updateTable("staff")
    .set({
      password_hash: secrets.passwordHash,
      totp_ciphertext: secrets.totpCiphertext,
      totp_step: secrets.totpStep,
    })
    .where("id", "=", id)
    .execute();
}

/** Replaces a hash by another of the same password. Does nothing when another password has been set since. */
export async function replaceStaffPasswordHash(
  db: Db,
  id: StaffId,
  oldHash: string | null,
  newHash: string,
): Promise<void> {
  await db
    .updateTable("staff")
    .set({ password_hash: newHash })
    .where("id", "=", id)
    .where("password_hash", "=", oldHash)
    .execute();
}

/** Uses a code's time step once. @returns false when it, or a later one, was used before */
export async function claimTotpStep(db: Db, id: StaffId, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("staff")
    .set({ totp_step: step })
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .where((eb) => eb.or([eb("totp_step", "is", null), eb("totp_step", "<", step)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Replaces all recovery codes. */
export async function replaceRecoveryCodes(trx: Trx, id: StaffId, hashes: readonly string[]): Promise<void> {
  await trx.deleteFrom("staff_recovery_codes").where("staff_id", "=", id).execute();
  if (hashes.length === 0) return;
  await trx
    .insertInto("staff_recovery_codes")
    .values(hashes.map((hash) => ({ staff_id: id, hash, used_at: null })))
    .execute();
}

/** @returns false for an unknown or used code */
export async function claimRecoveryCode(db: Db, id: StaffId, hash: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("staff_recovery_codes")
    .set({ used_at: at })
    .where("staff_id", "=", id)
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function countRecoveryCodes(db: Db, id: StaffId): Promise<number> {
  const { left } = await db
    .selectFrom("staff_recovery_codes")
    .select(({ fn }) => fn.countAll<number>().as("left"))
    .where("staff_id", "=", id)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return left;
}

export interface SetUpLink {
  staffId: StaffId;
  email: string;
  /** Ciphertext of the secret that its page shows. */
  totpCiphertext: string;
}

export async function insertSetUpLink(
  trx: Trx,
  link: { hash: string; staffId: StaffId; totpCiphertext: string; expiresAt: Date },
): Promise<void> {
  await trx
    .insertInto("staff_links")
    .values({
      hash: link.hash,
      staff_id: link.staffId,
      totp_ciphertext: link.totpCiphertext,
      expires_at: link.expiresAt,
      used_at: null,
    })
    .execute();
}

/** Returns the link, if it is usable at `now`. */
export async function findSetUpLink(db: Db, hash: string, now: Date): Promise<SetUpLink | null> {
  const link = await db
    .selectFrom("staff_links")
    .innerJoin("staff", "staff.id", "staff_links.staff_id")
    .select(["staff.id as staffId", "staff.email", "staff_links.totp_ciphertext as totpCiphertext"])
    .where("staff_links.hash", "=", hash)
    .where("staff_links.used_at", "is", null)
    .where("staff_links.expires_at", ">", now)
    .where("staff.removed_at", "is", null)
    .executeTakeFirst();
  return link ?? null;
}

/** Revokes all links of a member of staff. @returns the number of links that were still usable */
export async function revokeSetUpLinks(trx: Trx, id: StaffId, at: Date): Promise<bigint> {
  const { numUpdatedRows } = await trx
    .updateTable("staff_links")
    .set({ used_at: at })
    .where("staff_id", "=", id)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows;
}

/** Counts the admins, and locks them until the transaction ends so that none is removed. */
export async function countAdminsLocked(trx: Trx): Promise<number> {
  const admins = await trx
    .selectFrom("staff")
    .select("id")
    .where("role", "=", "admin")
    .where("removed_at", "is", null)
    .forUpdate()
    .execute();
  return admins.length;
}
