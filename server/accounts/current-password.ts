/** Re-authentication of a signed-in user before a change to how the account is protected: the password, or a mailed code. */

import { replacePasswordHash, selectUser } from "#db/accounts/users.ts";
import type { UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { clearRateLimit, consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { takeMailedCode } from "./mailed-code.ts";
import { verifyPassword } from "./passwords.ts";

export const currentPasswordWrong = msg("account.currentPasswordWrong");

/**
 * Checks the password. Five wrong tries are allowed in 15 minutes. Pass the database, not a transaction: failed tries must count.
 * @returns the verified hash, so that the caller can check later that it is unchanged; null when the account has no password and
 * nothing was checked: showHolder then asks for a mailed code
 * @throws DomainError bad_request on the field when it is wrong; rate_limited
 */
export async function checkCurrentPassword(
  db: Db,
  userId: UserId,
  typed: string,
  field = "currentPassword",
): Promise<string | null> {
  const tries = { name: "change-password", key: userId, limit: 5, windowSeconds: 15 * 60 };
  // Counted before the password is checked, so that concurrent guesses cannot exceed the limit.
  await consumeRateLimit(db, tries);
  let passwordHash = (await selectUser(db, userId))?.passwordHash ?? null;
  const replace = async (newHash: string) => {
    if (await replacePasswordHash(db, userId, passwordHash, newHash)) passwordHash = newHash;
  };
  if (passwordHash !== null && !(await verifyPassword(passwordHash, typed, replace)))
    throw wrongField(field, currentPasswordWrong, { outcome: "wrong-password", userId });
  await clearRateLimit(db, tries);
  return passwordHash;
}

/**
 * Checks the password, or a mailed code when the account has no password.
 * @param typed the password or the code
 * @param alsoShow the change's other checks; if they refuse, the mailed code is not used up
 * @throws DomainError as checkCurrentPassword; as takeMailedCode; as alsoShow
 */
export async function showHolder<Result>(
  db: Db,
  userId: UserId,
  typed: string,
  alsoShow: () => Promise<Result>,
): Promise<Result> {
  const passwordHash = await checkCurrentPassword(db, userId, typed);
  return passwordHash === null ? takeMailedCode(db, userId, typed, alsoShow) : alsoShow();
}
