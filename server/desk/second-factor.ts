/** The second factor of staff: whose codes are taken, and showing it again before an act. */
import type { StaffId } from "#db/ids.ts";
import { readSecrets, spendRecoveryCode, takeTotpStep } from "#db/staff.ts";
import { record } from "#server/accounts/audit.ts";
import { verifyPassword } from "#server/accounts/passwords.ts";
import { DomainError, wrongField } from "#server/errors.ts";
import { decrypt, type EncryptedStore } from "#server/security/cipher.ts";
import { takeOneTimeCode } from "#server/security/one-time-codes.ts";
import { clearRateLimit, consumeRateLimit } from "#server/security/rate-limit.ts";

/** The context that binds the secret of an app to its row. */
export const totpContext = (id: StaffId): string => `staff:${id}`;

const limit = (id: StaffId) => ({ name: "desk-code", key: id });
const attempts = (id: StaffId, now: Date) => ({ ...limit(id), limit: 5, windowSeconds: 15 * 60, now });

/**
 * Takes a code. Pass the database, not a transaction: failed attempts must count.
 * @throws DomainError as takeOneTimeCode
 */
export async function takeCode(
  { db, encryptionKeys }: EncryptedStore,
  id: StaffId,
  typed: string,
  now: Date,
): Promise<void> {
  const holder = {
    limit: limit(id),
    refusal:
      "That code is not valid, or has been used. Enter the one that your app shows now, or a recovery code.",
    async readSecret() {
      const { totpCiphertext } = await readSecrets(db, id);
      return totpCiphertext === null ? null : decrypt(encryptionKeys, totpCiphertext, totpContext(id));
    },
    takeStep: (step: number) => takeTotpStep(db, id, step),
    takeRecoveryCode: (hash: string) => takeRecoveryCode(db, id, hash, now),
  };
  await takeOneTimeCode(db, holder, typed, now);
}

/**
 * Shows again who sits at the desk: by a code, or by the password where there is no second factor, which is in the sandbox alone.
 * @throws DomainError as takeCode; bad_request at the field `password`
 */
export async function showAgain(
  store: EncryptedStore,
  staff: { id: StaffId; hasSecondFactor: boolean },
  shown: { code: string; password: string },
  now: Date,
): Promise<void> {
  if (staff.hasSecondFactor) return takeCode(store, staff.id, shown.code, now);
  await consumeRateLimit(store.db, attempts(staff.id, now));
  const { passwordHash } = await readSecrets(store.db, staff.id);
  if (!(await verifyPassword(passwordHash, shown.password)))
    throw wrongField("password", "That is not your password.");
  await clearRateLimit(store.db, attempts(staff.id, now));
}

/** @throws DomainError forbidden for a member of staff without a second factor, where one is required */
export function requireSecondFactor(hasSecondFactor: boolean, isRequired: boolean): void {
  if (isRequired && !hasSecondFactor)
    throw new DomainError(
      "forbidden",
      "Your account has no second factor yet. Ask an admin for a new set-up link.",
    );
}

async function takeRecoveryCode(
  db: EncryptedStore["db"],
  id: StaffId,
  hash: string,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if (!(await spendRecoveryCode(trx, id, hash, now))) return false;
    await record(trx, { userId: null, staffId: id, action: "staff.recovery-code", subject: `staff:${id}` });
    return true;
  });
}
