/**
 * Locks on accounts, which staff set and lift after a takeover was reported. No way of signing in opens a locked account; its
 * company, orders and colleagues continue as before.
 */

import * as rows from "#db/accounts/users.ts";
import type { UserId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { brand } from "#server/foundation/brand.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { type AccountNotice, notifyOwner } from "./account-notifications.ts";
import type { FactorOwner } from "./second-factor.ts";
import { revokeAllSessions } from "./sessions.ts";

/** Shown only after a valid password, passkey, identity or mailed link of the account. */
export const accountLocked = msg("access.accountLocked", { email: brand.supportEmail });

/**
 * Locks the user's row before a session is made for them.
 * @throws DomainError forbidden when the account was deleted, or is locked by staff
 */
export async function requireOpenAccount(trx: Trx, userId: UserId): Promise<void> {
  const user = await rows.lockUser(trx, userId);
  if (user === null || user.disabledAt !== null)
    throw new DomainError("forbidden", msg("access.accountClosed", { email: brand.supportEmail }), {
      facts: { outcome: "account-closed", userId },
    });
  if (user.lockedAt !== null)
    throw new DomainError("forbidden", accountLocked, { facts: { outcome: "account-locked", userId } });
}

/** Signs a user out everywhere, and emails them. */
export async function endSessionsByStaff(trx: Trx, owner: FactorOwner, audit: AuditContext): Promise<void> {
  await rows.lockUser(trx, owner.userId);
  await carryOut(trx, owner, audit, "sessions-ended");
}

/** Locks an account, signs its user out everywhere, and emails them. Does nothing if it is already locked. */
export async function lockAccount(
  trx: Trx,
  owner: FactorOwner,
  audit: AuditContext,
  now = new Date(),
): Promise<void> {
  await rows.lockUser(trx, owner.userId);
  if (await rows.markLocked(trx, owner.userId, now)) await carryOut(trx, owner, audit, "account-locked");
}

/** Unlocks an account and emails its user. Does nothing if it is not locked. */
export async function unlockAccount(trx: Trx, owner: FactorOwner, audit: AuditContext): Promise<void> {
  await rows.lockUser(trx, owner.userId);
  if (await rows.markUnlocked(trx, owner.userId)) await carryOut(trx, owner, audit, "account-unlocked");
}

type Measure = Extract<AccountNotice["what"], "sessions-ended" | "account-locked" | "account-unlocked">;

const actions = {
  "sessions-ended": "sessions.end",
  "account-locked": "account.lock",
  "account-unlocked": "account.unlock",
} as const satisfies Record<Measure, string>;

async function carryOut(
  trx: Trx,
  owner: FactorOwner,
  { staffId, by, reason }: AuditContext,
  what: Measure,
): Promise<void> {
  // Also when unlocking: a session created while the lock was being set must not become valid.
  await revokeAllSessions(trx, owner.userId);
  await recordAudit(trx, {
    userId: null,
    staffId,
    action: actions[what],
    subject: `user:${owner.userId}`,
    data: { by, reason },
  });
  await notifyOwner(trx, owner, { what });
}
