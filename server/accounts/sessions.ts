/**
 * Sessions. A session is a row, and its token is a signed JWT that only names the row, so that logout, a new password and
 * disabling an account take effect at the next request (docs/decisions/security.md#sessions).
 */
import { decodeJwt, errors, jwtVerify, SignJWT } from "jose";
import { endPendingSignIns } from "#db/accounts/second-factors.ts";
import * as rows from "#db/accounts/sessions.ts";
import { type CustomerId, newId, parseId, type SessionId, type UserId } from "#db/ids.ts";
import type { Country, MemberRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type Device, readDevice } from "./device-names.ts";

const day = 24 * 60 * 60;
/** A session expires after this long without use. */
export const sessionIdleSeconds = 30 * day;
/** The maximum age of a session, even in use. Also the token's own expiry, and the cookie's Max-Age. */
export const sessionMaxSeconds = 180 * day;
/** Updating "last seen" at every request would cost each page a write. Once an hour is precise enough for 30 days. */
const renewAfterSeconds = 60 * 60;

/** The secret also signs cookies. The audience prevents a cookie's signature from being accepted as a session. */
const audience = "session";
const algorithm = "HS256";

export interface SessionUser {
  userId: UserId;
  sessionId: SessionId;
  email: string;
  firstName: string;
  lastName: string;
  phone: string;
  role: string;
  /** Company the user joined first; `null` before the first order. */
  customer: { id: CustomerId; name: string; country: Country; role: MemberRole } | null;
  /**
   * Whether one of the user's companies requires a second factor that they do not have. Then only their own account opens, where
   * they set it up.
   */
  isKeptOut: boolean;
}

/** A session as its owner sees it in a list. */
export interface OpenSession {
  sessionId: SessionId;
  createdAt: Date;
  /** Accurate to the hour, because it is updated only that often. */
  lastUsedAt: Date;
  /** Device that opened the session. */
  device: Device;
  network: string | null;
  country: string | null;
}

export interface Session {
  sessionId: SessionId;
  userId: UserId;
  /** Token for the cookie or the Authorization header; not stored. */
  token: string;
}

/** The first secret signs and all verify, so that a secret can be rotated without logging users out. */
export type SessionSecrets = readonly [string, ...string[]];

/**
 * @param now for tests
 */
export async function createSession(
  db: Db,
  secrets: SessionSecrets,
  userId: UserId,
  now = new Date(),
): Promise<Session> {
  const sessionId = newId<SessionId>();
  await rows.insertSession(db, {
    id: sessionId,
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: later(now, sessionIdleSeconds),
  });
  return { sessionId, userId, token: await tokenFor(secrets, sessionId, userId, now) };
}

/** Time within which a browser that never received its session's token can still pick the session up. */
const handoverSeconds = 60 * 60;

/** Stores the draft key of the browser a session was made for, until that browser uses the token. */
export async function markSessionForPickUp(trx: Trx, session: Session, draftKey: string): Promise<void> {
  await rows.setHandoverKey(trx, session.sessionId, draftKey);
}

/**
 * Returns this browser's unused session, for when the response with its token was lost.
 * @param of the user whose session it must be
 * @returns `null` when there is none, or it is older than an hour
 */
export async function pickUpSession(
  db: Db,
  secrets: SessionSecrets,
  { draftKey, of }: { draftKey: string; of: UserId },
): Promise<Session | null> {
  const now = new Date();
  const since = later(now, -handoverSeconds);
  const row = await rows.selectUnusedSession(db, { draftKey, userId: of, since, now });
  if (row === undefined) return null;
  return { sessionId: row.id, userId: of, token: await tokenFor(secrets, row.id, of, row.createdAt) };
}

/** @param since start of the session */
async function tokenFor(
  secrets: SessionSecrets,
  sessionId: SessionId,
  userId: UserId,
  since: Date,
): Promise<string> {
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(userId)
    .setAudience(audience)
    .setIssuedAt(since)
    .setExpirationTime(later(since, sessionMaxSeconds))
    .sign(await keyOf(secrets[0]));
}

/**
 * Returns the token's user; `null` when the token is not signed by us, its session is revoked or expired, or its user is
 * disabled. A session in use is extended to 30 days from now, at most once an hour.
 * @param now for tests
 */
export async function readSession(
  db: Db,
  secrets: SessionSecrets,
  token: string,
  now = new Date(),
): Promise<SessionUser | null> {
  const claims = claimsIn(token);
  if (claims === null) return null;
  // The row is read while another thread verifies the signature. None of it is used before that.
  const [isOurs, session] = await Promise.all([
    isSigned(secrets, token, now),
    rows.selectLiveSession(db, claims.sessionId, now),
  ]);
  if (!isOurs || session === null || session.user.id !== claims.userId) return null;
  // The browser has received the token.
  if (session.handoverKey !== null) await rows.setHandoverKey(db, claims.sessionId, null);
  if (later(session.lastSeenAt, renewAfterSeconds) <= now) {
    const last = later(session.createdAt, sessionMaxSeconds).getTime();
    const renewed = later(now, sessionIdleSeconds).getTime();
    await rows.touchSession(db, claims.sessionId, now, new Date(Math.min(renewed, last)));
  }
  return toSessionUser(session);
}

/**
 * Creates a new session for the holder of a token, so that anyone who passed the token on does not know the new one.
 * @returns `null` when the token is invalid
 */
export async function exchangeToken(db: Db, secrets: SessionSecrets, token: string): Promise<Session | null> {
  const holder = await readSession(db, secrets, token);
  return holder === null ? null : createSession(db, secrets, holder.userId);
}

/** Lists a user's live sessions, most recently used first. */
export async function listSessions(db: Db, userId: UserId, now = new Date()): Promise<OpenSession[]> {
  const sessions = await rows.selectLiveSessionsOf(db, userId, now);
  return sessions.map(({ id, createdAt, lastSeenAt, client, network, country }) => ({
    sessionId: id,
    createdAt,
    lastUsedAt: lastSeenAt,
    device: readDevice(client ?? ""),
    network,
    country,
  }));
}

/** Logs out. Does nothing when the session has already ended. */
export async function revokeSession(db: Db, sessionId: SessionId): Promise<void> {
  await rows.markSessionRevoked(db, sessionId, new Date());
}

/** Ends one of a user's sessions. Ignores another user's. */
export async function endSession(db: Db, userId: UserId, sessionId: SessionId): Promise<void> {
  await rows.revokeUserSession(db, userId, sessionId, new Date());
}

/** Logs a user out everywhere, and ends pending sign-ins. */
export async function revokeAllSessions(db: Db, userId: UserId): Promise<void> {
  await endPendingSignIns(db, userId);
  await rows.markSessionsRevoked(db, userId, new Date());
}

/** Logs a user out everywhere except in the browser of this session. */
export async function revokeOtherSessions(
  db: Db,
  { userId, sessionId }: Pick<SessionUser, "userId" | "sessionId">,
): Promise<void> {
  await endPendingSignIns(db, userId);
  await rows.markSessionsRevoked(db, userId, new Date(), sessionId);
}

/** Reads a token's claims without verifying its signature. */
function claimsIn(token: string): { sessionId: SessionId; userId: UserId } | null {
  try {
    const { sid, sub } = decodeJwt(token);
    const sessionId = parseId<SessionId>(typeof sid === "string" ? sid : null);
    const userId = parseId<UserId>(sub);
    return sessionId === null || userId === null ? null : { sessionId, userId };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

async function isSigned(secrets: SessionSecrets, token: string, now: Date): Promise<boolean> {
  for (const secret of secrets) {
    try {
      await jwtVerify(token, await keyOf(secret), { algorithms: [algorithm], audience, currentDate: now });
      return true;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  return false;
}

function toSessionUser({ id: sessionId, user, customer, isKeptOut }: rows.LiveSession): SessionUser {
  const { id: userId, ...person } = user;
  return { userId, sessionId, ...person, customer, isKeptOut };
}

const keys = new Map<string, Promise<CryptoKey>>();

/** Imports a key once, because each page reads a session. */
function keyOf(secret: string): Promise<CryptoKey> {
  const known = keys.get(secret);
  if (known !== undefined) return known;
  const bytes = new TextEncoder().encode(secret);
  const key = crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
  keys.set(secret, key);
  return key;
}

function later(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1_000);
}
