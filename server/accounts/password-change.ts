/** Changes the password of a logged-in user who knows the current one. */
import * as rows from "#db/users.ts";
import type { Context } from "../context.ts";
import { DomainError, wrongField } from "../errors.ts";
import { told } from "../languages/text.ts";
import { clearRateLimit, consumeRateLimit } from "../security/rate-limit.ts";
import { requireNewPassword } from "./new-password.ts";
import { verifyPassword } from "./passwords.ts";
import { createSession, type Session, type SessionUser } from "./sessions.ts";
import { setPassword } from "./users.ts";

export const currentPasswordWrong = told("account.currentPasswordWrong");

/**
 * Sets the new password and revokes every session. The asker gets a new one. Five wrong tries are allowed in 15 minutes.
 * @throws DomainError bad_request on the field `currentPassword` when it is wrong, on `password` when the new one is too
 * short, too long or too common; conflict when the account has no password yet; rate_limited
 */
export async function changePassword(
  { db, env }: Pick<Context, "db" | "env">,
  { userId }: Pick<SessionUser, "userId">,
  input: { currentPassword: string; password: string },
): Promise<Session> {
  await requireNewPassword(input.password);
  const tries = { name: "change-password", key: userId, limit: 5, windowSeconds: 15 * 60 };
  // Counted before the password is checked, so that concurrent guesses cannot exceed the limit.
  await consumeRateLimit(db, tries);
  const passwordHash = (await rows.selectUser(db, userId))?.passwordHash ?? null;
  if (passwordHash === null) throw new DomainError("conflict", told("account.noPassword"));
  if (!(await verifyPassword(passwordHash, input.currentPassword)))
    throw wrongField("currentPassword", currentPasswordWrong);
  const session = await db.transaction().execute(async (trx) => {
    // The password was changed after the check above.
    if (!(await rows.lockUserWithPassword(trx, userId, passwordHash)))
      throw wrongField("currentPassword", currentPasswordWrong);
    await setPassword(trx, userId, input.password, { byMailedToken: false });
    return createSession(trx, env.SESSION_SECRETS, userId);
  });
  await clearRateLimit(db, tries);
  return session;
}
