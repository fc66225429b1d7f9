/** Choosing a new password by a mailed link, for the page and the JSON call alike. */
import type { UserId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { DomainError } from "../errors.ts";
import { consumeToken } from "./one-time-tokens.ts";
import { setPassword } from "./users.ts";

/** SPEC section 9; counted in characters. Holds here and not at sign-up, which has no length rule (DESIGN ruling 18). */
export const minNewPasswordLength = 8;
/** SPEC section 5. */
export const newPasswordTooShort = "Password must be at least 8 characters long.";
/** SPEC section 8. */
export const passwordUpdateFailed = "Failed to update password.";

/**
 * Uses the link up, sets the password, revokes every older session and marks the email as proven.
 * @returns whose password it is
 * @throws DomainError bad_request on the field `password` when it is too short or too long, the link staying good; and
 *   without fields when the link is unknown, used or expired
 */
export async function resetPassword(
  trx: Trx,
  input: { purpose: "set-password" | "reset-password"; token: string; password: string },
): Promise<UserId> {
  if ([...input.password].length < minNewPasswordLength) {
    throw new DomainError("bad_request", newPasswordTooShort, { fields: { password: newPasswordTooShort } });
  }
  const holder = await consumeToken(trx, input);
  if (holder === null) {
    throw new DomainError(
      "bad_request",
      `${passwordUpdateFailed} The link has expired or was used already: please ask for a new one.`,
    );
  }
  await setPassword(trx, holder.userId, input.password, { byMailedToken: true });
  return holder.userId;
}
