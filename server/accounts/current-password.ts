/** The password of a signed-in user, asked again before something that guards the account changes. */
import type { UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { selectUser } from "#db/users.ts";
import { wrongField } from "../errors.ts";
import { told } from "../languages/text.ts";
import { clearRateLimit, consumeRateLimit } from "../security/rate-limit.ts";
import { verifyPassword } from "./passwords.ts";

export const currentPasswordWrong = told("account.currentPasswordWrong");

/**
 * Five wrong tries are allowed in 15 minutes. Pass the database, not a transaction: failed tries must count.
 * @returns the hash that the password fits, for a later look at whether it is still the same; null when the account has no
 * password, so that there was nothing to ask
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
  const passwordHash = (await selectUser(db, userId))?.passwordHash ?? null;
  if (passwordHash !== null && !(await verifyPassword(passwordHash, typed)))
    throw wrongField(field, currentPasswordWrong);
  await clearRateLimit(db, tries);
  return passwordHash;
}
