/**
 * Completes the first factor of a sign-in (password, identity or mailed link): opens a session, or a pending sign-in for an
 * account with a second factor. The pending sign-in is a row, and the browser holds its random key.
 */

import { countPasskeys } from "#db/accounts/passkeys.ts";
import * as rows from "#db/accounts/second-factors.ts";
import type { UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";
import type { Context } from "#server/platform/context.ts";
import { requireOpenAccount } from "./locks.ts";
import { hasSecondFactor, verifySecondFactor } from "./second-factor.ts";
import { createSession, type Session, type SessionSecrets } from "./sessions.ts";

/** Time within which a visitor must enter the code. */
export const pendingSignInSeconds = 10 * 60;

export type SignInOutcome =
  | { outcome: "signed-in"; session: Session }
  /** Key of the pending sign-in, 43 characters of base64url, for the browser's cookie. */
  | { outcome: "code-needed"; key: string };

/** @throws DomainError forbidden when the account is closed or locked */
export async function passFirstFactor(
  trx: Trx,
  secrets: SessionSecrets,
  userId: UserId,
  now = new Date(),
): Promise<SignInOutcome> {
  await requireOpenAccount(trx, userId);
  if (!(await hasSecondFactor(trx, userId)))
    return { outcome: "signed-in", session: await createSession(trx, secrets, userId, now) };
  const key = newToken();
  const expiresAt = new Date(now.getTime() + pendingSignInSeconds * 1_000);
  await rows.insertPendingSignIn(trx, { keyHash: hashToken(key), userId, expiresAt });
  return { outcome: "code-needed", key };
}

/** Returns the user whose sign-in waits for a code; `null` when there is none, or it has expired. */
export async function readPendingSignIn(
  db: Db,
  key: string,
  now = new Date(),
): Promise<{ email: string; hasPasskeys: boolean } | null> {
  const pending = await rows.selectPendingSignIn(db, hashToken(key), now);
  if (pending === null) return null;
  return { email: pending.email, hasPasskeys: (await countPasskeys(db, pending.userId)) > 0 };
}

/**
 * Completes a sign-in with a code of the app, or a recovery code.
 * @returns the session, and after a recovery code how many are left
 * @throws DomainError unauthenticated when the pending sign-in has expired; as verifySecondFactor; forbidden when the account is
 * closed or locked
 */
export async function completeSignIn(
  context: Pick<Context, "db" | "env" | "encryptionKeys">,
  { key, code }: { key: string; code: string },
  now = new Date(),
): Promise<{ session: Session; recoveryCodesLeft: number | null }> {
  const { db, env } = context;
  const keyHash = hashToken(key);
  const pending = await rows.selectPendingSignIn(db, keyHash, now);
  if (pending === null) throw signInOver();
  const { recoveryCodesLeft } = await verifySecondFactor(context, pending, code, now);
  const session = await db.transaction().execute(async (trx) => {
    await requireOpenAccount(trx, pending.userId);
    // A new password has ended it in the meantime, or another tab was faster.
    if (!(await rows.claimPendingSignIn(trx, keyHash, now))) throw signInOver();
    return createSession(trx, env.SESSION_SECRETS, pending.userId, now);
  });
  return { session, recoveryCodesLeft };
}

function signInOver(): DomainError {
  return new DomainError("unauthenticated", msg("twoStep.signInOver"), {
    facts: { outcome: "sign-in-over" },
  });
}
