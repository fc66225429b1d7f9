/**
 * Sessions in Desk: separate rows behind a separate cookie, so that no customer's session opens Desk and no Desk session opens
 * the store (docs/decisions/desk.md#staff-access). A session that has not shown its second factor opens only the page that asks
 * for it.
 */

import type { Staff } from "#db/desk/staff.ts";
import * as rows from "#db/desk/staff-sessions.ts";
import { newId, type StaffId, type StaffSessionId } from "#db/ids.ts";
import type { Db } from "#db/tables/index.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";
import { endImpersonations } from "./impersonation.ts";

const minute = 60;
/** A session ends after this long without use. */
const idleSeconds = 120 * minute;
/** Maximum duration of a session in use, in seconds. Also the cookie's Max-Age. */
export const staffSessionMaxSeconds = 12 * 60 * minute;
/** Time within which the second factor must be shown. */
const unverifiedSeconds = 10 * minute;
/** Lifetime of a step-up for actions on money, prices and people. */
export const stepUpSeconds = 10 * minute;
const touchAfterSeconds = minute;
const maxClientLength = 200;

export interface StaffSession {
  sessionId: StaffSessionId;
  staff: Staff;
  /** Last time that the second factor, or in the sandbox the password, was shown. Null while it is awaited. */
  verifiedAt: Date | null;
}

/**
 * @param client the browser's User-Agent
 * @returns the cookie's token, of which only a hash is stored
 */
export async function createStaffSession(
  db: Db,
  staffId: StaffId,
  { client, isVerified, now }: { client: string; isVerified: boolean; now: Date },
): Promise<string> {
  const token = newToken();
  await rows.insertStaffSession(db, {
    id: newId<StaffSessionId>(),
    staffId,
    tokenHash: hashToken(token),
    client: client.slice(0, maxClientLength),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: later(now, isVerified ? idleSeconds : unverifiedSeconds),
    verifiedAt: isVerified ? now : null,
  });
  return token;
}

/** Returns the session of a cookie's token; null when it has ended or expired, or its member of staff was removed. */
export async function readStaffSession(db: Db, token: string, now: Date): Promise<StaffSession | null> {
  const found = await rows.findStaffSession(db, hashToken(token), now);
  if (found === null) return null;
  const { id: sessionId, staff, verifiedAt, createdAt, lastSeenAt } = found;
  if (verifiedAt !== null && later(lastSeenAt, touchAfterSeconds) <= now) {
    const last = later(createdAt, staffSessionMaxSeconds).getTime();
    const expiresAt = new Date(Math.min(later(now, idleSeconds).getTime(), last));
    await rows.touchStaffSession(db, sessionId, now, expiresAt);
  }
  return { sessionId, staff, verifiedAt };
}

/** Whether an action on money, prices or people may proceed without another step-up. */
export function hasRecentStepUp({ verifiedAt }: Pick<StaffSession, "verifiedAt">, now: Date): boolean {
  return verifiedAt !== null && later(verifiedAt, stepUpSeconds) > now;
}

/** Ends a session and its impersonation. */
export async function endStaffSession(db: Db, sessionId: StaffSessionId, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await rows.markEnded(trx, sessionId, now);
    await endImpersonations(trx, sessionId, now);
  });
}

function later(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1_000);
}
