/** The second factor of staff: verifying codes, and step-up before an action. */

import { claimRecoveryCode, claimTotpStep, readSecrets, replaceStaffPasswordHash } from "#db/desk/staff.ts";
import type { StaffId } from "#db/ids.ts";
import { verifyPassword } from "#server/accounts/passwords.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import { decrypt, type EncryptedStore } from "#server/foundation/security/cipher.ts";
import { verifyOneTimeCode } from "#server/foundation/security/one-time-codes.ts";
import { clearRateLimit, consumeRateLimit } from "#server/foundation/security/rate-limit.ts";

/** Returns the encryption context that binds an app's secret to its row. */
export const totpContext = (id: StaffId): string => `staff:${id}`;

const limit = (id: StaffId) => ({ name: "desk-code", key: id });
const attempts = (id: StaffId, now: Date) => ({
  ...limit(id),
  account: { staffId: id },
  limit: 5,
  windowSeconds: 15 * 60,
  now,
});

/**
 * Verifies a code. Pass the database, not a transaction: failed attempts must count.
 * @throws DomainError as verifyOneTimeCode
 */
export async function verifyStaffCode(
  { db, encryptionKeys }: EncryptedStore,
  id: StaffId,
  typed: string,
  now: Date,
): Promise<void> {
  const holder = {
    limit: limit(id),
    account: { staffId: id },
    refusal:
      "That code is incorrect or already used. Enter the current code from your app, or a recovery code.",
    async readSecret() {
      const { totpCiphertext } = await readSecrets(db, id);
      return totpCiphertext === null ? null : decrypt(encryptionKeys, totpCiphertext, totpContext(id));
    },
    takeStep: (step: number) => claimTotpStep(db, id, step),
    takeRecoveryCode: (hash: string) => takeRecoveryCode(db, id, hash, now),
  };
  await verifyOneTimeCode(db, holder, typed, now);
}

/**
 * Re-authenticates a member of staff: by a code, or by the password without a second factor, which only the sandbox allows.
 * @throws DomainError as verifyStaffCode; bad_request at the field `password`
 */
export async function reauthenticateStaff(
  store: EncryptedStore,
  staff: { id: StaffId; hasSecondFactor: boolean },
  shown: { code: string; password: string },
  now: Date,
): Promise<void> {
  if (staff.hasSecondFactor) return verifyStaffCode(store, staff.id, shown.code, now);
  await consumeRateLimit(store.db, attempts(staff.id, now));
  const { passwordHash } = await readSecrets(store.db, staff.id);
  const replace = (newHash: string) => replaceStaffPasswordHash(store.db, staff.id, passwordHash, newHash);
  if (!(await verifyPassword(passwordHash, shown.password, replace)))
    throw wrongField("password", "That is not your password.", {
      outcome: "wrong-password",
      staffId: staff.id,
    });
  await clearRateLimit(store.db, attempts(staff.id, now));
}

/** @throws DomainError forbidden for a member of staff without a second factor, where one is required */
export function requireSecondFactor(hasSecondFactor: boolean, isRequired: boolean): void {
  if (isRequired && !hasSecondFactor)
    throw new DomainError(
      "forbidden",
      "Two-step sign-in isn't set up for your account. Ask an admin for a new setup link.",
      { facts: { outcome: "second-factor-needed" } },
    );
}

async function takeRecoveryCode(
  db: EncryptedStore["db"],
  id: StaffId,
  hash: string,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await claimRecoveryCode(trx, id, hash, now))) return false;
    await recordAudit(trx, {
      userId: null,
      staffId: id,
      action: "staff.recovery-code",
      subject: `staff:${id}`,
    });
    return true;
  });
}
