/** Sign-in to Desk: the password first, then the second factor, both slow for guessers. */

import { findStaffByEmail, readSecrets, replaceStaffPasswordHash } from "#db/desk/staff.ts";
import { markVerified } from "#db/desk/staff-sessions.ts";
import type { StaffId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { verifyPassword } from "#server/accounts/passwords.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import type { EncryptedStore } from "#server/foundation/security/cipher.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { clearRateLimit, consumeRateLimit, type RateLimit } from "#server/foundation/security/rate-limit.ts";
import { reauthenticateStaff, requireSecondFactor, verifyStaffCode } from "./second-factor.ts";
import { createStaffSession, hasRecentStepUp, type StaffSession } from "./sessions.ts";

export const signInFailed = "Incorrect email or password.";

export interface StaffSignedIn {
  /** Token for Desk's cookie. */
  token: string;
  /** Whether the session still opens only the page that asks for a code. */
  needsCode: boolean;
}

/**
 * Checks the password. Pass the database, not a transaction: failures must count.
 * @param settings.isFactorRequired false only in the sandbox
 * @throws DomainError unauthenticated for a wrong password, an unknown email and a removed account, in the same time
 * @throws DomainError forbidden for an account without a second factor, where one is required
 * @throws DomainError rate_limited
 */
export async function signInStaffWithPassword(
  db: Db,
  { email, password }: { email: string; password: string },
  {
    clientAddress,
    client,
    isFactorRequired,
  }: { clientAddress: string; client: string; isFactorRequired: boolean },
  now = new Date(),
): Promise<StaffSignedIn> {
  const [pair, account] = limitsFor(email, networkOf(clientAddress), now);
  const staff = await findStaffByEmail(db, email.trim());
  const about = { staffId: staff?.id };
  // Counted before the password is checked, so that concurrent guesses cannot exceed the limit.
  for (const limit of [pair, account]) await consumeRateLimit(db, { ...limit, account: about });
  const { passwordHash } = staff === null ? { passwordHash: null } : await readSecrets(db, staff.id);
  const isRight = await verifyPassword(passwordHash, password, async (newHash) => {
    if (staff !== null) await replaceStaffPasswordHash(db, staff.id, passwordHash, newHash);
  });
  if (staff === null || !isRight)
    throw new DomainError("unauthenticated", signInFailed, {
      facts: { outcome: "wrong-password", ...about },
    });
  requireSecondFactor(staff.hasSecondFactor, isFactorRequired);
  const needsCode = staff.hasSecondFactor;
  const token = await createStaffSession(db, staff.id, { client, isVerified: !needsCode, now });
  if (!needsCode) await recordSignIn(db, staff.id);
  await clearRateLimit(db, pair);
  return { token, needsCode };
}

/**
 * Completes a sign-in with a new session. The waiting one ends when the browser gets it (setStaffSession), so that a token that
 * was seen before opens nothing.
 * @throws DomainError as verifyStaffCode
 */
export async function signInStaffWithCode(
  store: EncryptedStore,
  { staff }: Pick<StaffSession, "staff">,
  code: string,
  client: string,
  now = new Date(),
): Promise<string> {
  await verifyStaffCode(store, staff.id, code, now);
  await recordSignIn(store.db, staff.id);
  return createStaffSession(store.db, staff.id, { client, isVerified: true, now });
}

/**
 * Requires a step-up before an action on money, prices or people. Does nothing when the second factor was shown within ten
 * minutes.
 * @throws DomainError as reauthenticateStaff
 */
export async function stepUp(
  store: EncryptedStore,
  session: StaffSession,
  shown: { code: string; password: string },
  now = new Date(),
): Promise<void> {
  if (hasRecentStepUp(session, now)) return;
  await reauthenticateStaff(store, session.staff, shown, now);
  await markVerified(store.db, session.sessionId, now);
}

function recordSignIn(db: Db, staffId: StaffId): Promise<void> {
  return recordAudit(db, { userId: null, staffId, action: "staff.sign-in", subject: `staff:${staffId}` });
}

function limitsFor(email: string, network: string, now: Date): [RateLimit, RateLimit] {
  const key = email.trim().toLowerCase();
  const windowSeconds = 15 * 60;
  return [
    { name: "desk-pair", key: `${key}\n${network}`, limit: 5, windowSeconds, now },
    { name: "desk-account", key, limit: 50, windowSeconds, now },
  ];
}
