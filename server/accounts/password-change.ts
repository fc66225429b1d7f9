/** Changes the password of a logged-in user who knows the current one. */
import type { UserId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
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
  const passwordHash = await checkPassword(db, userId, input.currentPassword, "currentPassword");
  const session = await db.transaction().execute(async (trx) => {
    // The password was changed after the check above.
    if (!(await rows.lockUserWithPassword(trx, userId, passwordHash)))
      throw wrongField("currentPassword", currentPasswordWrong);
    await setPassword(trx, userId, input.password, { byMailedToken: false });
    return createSession(trx, env.SESSION_SECRETS, userId);
  });
  await clearRateLimit(db, triesOf(userId));
  return session;
}

const triesOf = (userId: UserId) => ({
  name: "change-password",
  key: userId,
  limit: 5,
  windowSeconds: 15 * 60,
});

async function checkPassword(db: Db, userId: UserId, password: string, field: string): Promise<string> {
  // Counted before the password is checked, so that concurrent guesses cannot exceed the limit.
  await consumeRateLimit(db, triesOf(userId));
  const passwordHash = (await rows.selectUser(db, userId))?.passwordHash ?? null;
  if (passwordHash === null) throw new DomainError("conflict", told("account.noPassword"));
  if (!(await verifyPassword(passwordHash, password))) throw wrongField(field, currentPasswordWrong);
  return passwordHash;
}

/**
 * Makes sure that it is the account's holder who asks for something that cannot be undone. Wrong tries are counted with those of a change.
 * @throws DomainError bad_request on the field when it is wrong; conflict when the account has no password yet; rate_limited
 */
export async function requireCurrentPassword(
  db: Db,
  userId: UserId,
  password: string,
  field: string,
): Promise<void> {
  await checkPassword(db, userId, password, field);
  await clearRateLimit(db, triesOf(userId));
}
