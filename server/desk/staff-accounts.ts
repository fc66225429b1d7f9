/**
 * Staff accounts: created by `npm run staff` or by an admin in Desk, and completed by their owner through a one-time link, where
 * they choose a password and connect an authenticator app.
 */

import * as rows from "#db/desk/staff.ts";
import { markAllEnded } from "#db/desk/staff-sessions.ts";
import type { StaffId } from "#db/ids.ts";
import type { StaffRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { hashNewPassword } from "#server/accounts/new-password.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { brand } from "#server/foundation/brand.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { decrypt, type EncryptedStore, encrypt } from "#server/foundation/security/cipher.ts";
import { hashRecoveryCode, newRecoveryCodes } from "#server/foundation/security/recovery-codes.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";
import { newTotpSecret, stepOfCode, totpUri } from "#server/foundation/security/totp.ts";
import { totpContext } from "./second-factor.ts";
import { createStaffSession } from "./sessions.ts";

const linkHours = 48;

/** One-time link with which its reader completes the account. Anyone who has it can become that member of staff. */
export interface SetUpLink {
  path: string;
  expiresAt: Date;
}

/** @throws DomainError not_found */
export async function getStaffByEmail(db: Db, email: string): Promise<rows.Staff> {
  const staff = await rows.findStaffByEmail(db, email);
  if (staff === null) throw noStaff();
  return staff;
}

export function noStaff(): DomainError {
  return new DomainError("not_found", "Staff member not found.");
}

/** @throws DomainError conflict for an email that has an account */
export async function addStaff(
  { db, encryptionKeys }: EncryptedStore,
  { email, role }: { email: string; role: StaffRole },
  { reason, by, staffId }: AuditContext,
  now = new Date(),
): Promise<SetUpLink> {
  return db.transaction().execute(async (trx) => {
    const id = await rows.insertStaff(trx, email, role);
    if (id === null)
      throw new DomainError(
        "conflict",
        `${email} is already staff. Change their role or reset their account.`,
      );
    await forgetSecrets(trx, id, now);
    await recordOf(trx, id, "staff.add", { reason, by, staffId }, { email, role });
    return newLink(trx, encryptionKeys, id, now);
  });
}

/**
 * Resets an account whose owner has lost their authenticator app or forgotten their password: removes both, ends every session,
 * and creates a set-up link.
 * @throws DomainError not_found
 */
export async function resetStaff(
  { db, encryptionKeys }: EncryptedStore,
  id: StaffId,
  audit: AuditContext,
  now = new Date(),
): Promise<SetUpLink> {
  return db.transaction().execute(async (trx) => {
    if ((await rows.lockStaff(trx, id)) === null) throw noStaff();
    await forgetSecrets(trx, id, now);
    await recordOf(trx, id, "staff.reset", audit);
    return newLink(trx, encryptionKeys, id, now);
  });
}

/** @throws DomainError not_found; conflict for the last admin, without whom nobody could add staff */
export async function changeStaffRole(
  db: Db,
  id: StaffId,
  role: StaffRole,
  audit: AuditContext,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const admins = await rows.countAdminsLocked(trx);
    const staff = await rows.lockStaff(trx, id);
    if (staff === null) throw noStaff();
    if (role !== "admin") refuseForLastAdmin(staff, admins);
    await rows.updateRole(trx, id, role);
    await recordOf(trx, id, "staff.role", audit, { from: staff.role, to: role });
  });
}

/** @throws DomainError not_found; conflict as changeStaffRole */
export async function removeStaff(db: Db, id: StaffId, audit: AuditContext, now = new Date()): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const admins = await rows.countAdminsLocked(trx);
    const staff = await rows.lockStaff(trx, id);
    if (staff === null) throw noStaff();
    refuseForLastAdmin(staff, admins);
    await forgetSecrets(trx, id, now);
    await rows.markRemoved(trx, id, now);
    await recordOf(trx, id, "staff.remove", audit, { email: staff.email });
  });
}

/** Signs a member of staff out everywhere. @throws DomainError not_found */
export async function endStaffSessions(
  db: Db,
  id: StaffId,
  audit: AuditContext,
  now = new Date(),
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await rows.lockStaff(trx, id)) === null) throw noStaff();
    await markAllEnded(trx, id, now);
    await recordOf(trx, id, "staff.end-sessions", audit);
  });
}

/** View model of the staff setup page. */
export interface StaffSetup {
  email: string;
  /** Secret in base32, for an app that reads no QR code. */
  secret: string;
  /** Content of the QR code. */
  address: string;
}

/** @throws DomainError not_found for a link that is unknown, used or expired */
export async function readStaffSetup(
  { db, encryptionKeys }: EncryptedStore,
  token: string,
  now = new Date(),
): Promise<StaffSetup> {
  const hash = hashToken(token);
  const link = await rows.findSetUpLink(db, hash, now);
  if (link === null) throw noLink();
  const secret = decrypt(encryptionKeys, link.totpCiphertext, linkContext(hash));
  return {
    email: link.email,
    secret,
    address: totpUri(secret, { issuer: `${brand.name} desk`, email: link.email }),
  };
}

/**
 * Completes an account and signs in. This uses up the link.
 * @returns the session's token, and the recovery codes, which are shown only once
 * @throws DomainError not_found as readStaffSetup; bad_request at `code` or `password`, in which case the link still works
 */
export async function completeSetUp(
  { db, encryptionKeys }: EncryptedStore,
  { token, password, code }: { token: string; password: string; code: string },
  client: string,
  now = new Date(),
): Promise<{ session: string; recoveryCodes: string[] }> {
  const { secret, email } = await readStaffSetup({ db, encryptionKeys }, token, now);
  const step = stepOfCode(secret, code.replaceAll(/\s/g, ""), now);
  if (step === null)
    throw wrongField("code", "That code doesn't match. Check your device's clock and try again.");
  const passwordHash = await hashNewPassword(password, email);
  const recoveryCodes = newRecoveryCodes();
  return db.transaction().execute(async (trx) => {
    const found = await rows.findSetUpLink(trx, hashToken(token), now);
    if (found === null || (await rows.lockStaff(trx, found.staffId)) === null) throw noLink();
    const { staffId } = found;
    // Of two concurrent requests, the second finds no link.
    if ((await rows.revokeSetUpLinks(trx, staffId, now)) === 0n) throw noLink();
    await markAllEnded(trx, staffId, now);
    await rows.updateSecrets(trx, staffId, {
      passwordHash,
      totpCiphertext: encrypt(encryptionKeys, secret, totpContext(staffId)),
      totpStep: step,
    });
    await rows.replaceRecoveryCodes(trx, staffId, recoveryCodes.map(hashRecoveryCode));
    await recordAudit(trx, { userId: null, staffId, action: "staff.set-up", subject: `staff:${staffId}` });
    return {
      session: await createStaffSession(trx, staffId, { client, isVerified: true, now }),
      recoveryCodes,
    };
  });
}

const linkContext = (hash: string) => `staff-link:${hash}`;

function noLink(): DomainError {
  return new DomainError("not_found", "This link has been used or has expired. Ask an admin for a new one.");
}

async function newLink(
  trx: Trx,
  encryptionKeys: EncryptedStore["encryptionKeys"],
  staffId: StaffId,
  now: Date,
): Promise<SetUpLink> {
  const token = newToken();
  const hash = hashToken(token);
  const expiresAt = new Date(now.getTime() + linkHours * 3_600_000);
  const totpCiphertext = encrypt(encryptionKeys, newTotpSecret(), linkContext(hash));
  await rows.insertSetUpLink(trx, { hash, staffId, totpCiphertext, expiresAt });
  return { path: paths.deskSetup(token), expiresAt };
}

/** Revokes all of an account's access to Desk. */
async function forgetSecrets(trx: Trx, id: StaffId, now: Date): Promise<void> {
  await markAllEnded(trx, id, now);
  await rows.revokeSetUpLinks(trx, id, now);
  await rows.replaceRecoveryCodes(trx, id, []);
  await rows.updateSecrets(trx, id, { passwordHash: null, totpCiphertext: null, totpStep: null });
}

function refuseForLastAdmin(staff: rows.Staff, admins: number): void {
  if (staff.role === "admin" && admins === 1)
    throw new DomainError("conflict", "This is the only admin. Make someone else an admin first.");
}

function recordOf(
  trx: Trx,
  id: StaffId,
  action: string,
  { reason, by, staffId }: AuditContext,
  data: Record<string, string> = {},
): Promise<void> {
  return recordAudit(trx, {
    userId: null,
    staffId,
    action,
    subject: `staff:${id}`,
    data: { ...data, reason, by },
  });
}
