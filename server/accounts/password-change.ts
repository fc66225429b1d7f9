/** Changes the password of a logged-in user who knows the current one. */
import * as rows from "#db/accounts/users.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { Context } from "#server/platform/context.ts";
import { checkCurrentPassword, currentPasswordWrong } from "./current-password.ts";
import { requireNewPasswordLength } from "./new-password.ts";
import { createSession, type Session, type SessionUser } from "./sessions.ts";
import { setPassword } from "./users.ts";

/**
 * Sets the new password and revokes every session. The requester gets a new one.
 * @throws DomainError bad_request on the field `password` when the new one is too short, or as hashNewPassword; conflict
 * when the account has no password yet; as checkCurrentPassword
 */
export async function changePassword(
  { db, env }: Pick<Context, "db" | "env">,
  { userId }: Pick<SessionUser, "userId">,
  input: { currentPassword: string; password: string },
): Promise<Session> {
  requireNewPasswordLength(input.password);
  const passwordHash = await checkCurrentPassword(db, userId, input.currentPassword);
  if (passwordHash === null) throw new DomainError("conflict", msg("account.noPassword"));
  return db.transaction().execute(async (trx) => {
    // The password was changed after the check above.
    if (!(await rows.lockUserWithPassword(trx, userId, passwordHash)))
      throw wrongField("currentPassword", currentPasswordWrong);
    await setPassword(trx, userId, input.password, { byMailedToken: false });
    return createSession(trx, env.SESSION_SECRETS, userId);
  });
}
