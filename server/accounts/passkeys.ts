/**
 * Passkeys: sign-in without a password, with a key that a device stores and its PIN, finger or face unlocks. A passkey counts as
 * both factors. The browser's challenge is a row that works once, for five minutes; only its hash is stored.
 */
import { randomBytes } from "node:crypto";
import * as rows from "#db/accounts/passkeys.ts";
import { lockUser } from "#db/accounts/users.ts";
import type { UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { brand } from "#server/foundation/brand.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { hashToken } from "#server/foundation/security/token.ts";
import * as webauthn from "#server/foundation/security/webauthn.ts";
import type { Context } from "#server/platform/context.ts";
import { notifyOwner } from "./account-notifications.ts";
import { requireVerifiedEmail } from "./email-verification.ts";
import { requireOpenAccount } from "./locks.ts";
import {
  deleteOrphanRecoveryCodes,
  type FactorOwner,
  hasSecondFactor,
  issueRecoveryCodes,
  type Reauthentication,
  reauthenticate,
} from "./second-factor.ts";
import {
  createSession,
  revokeOtherSessions,
  type Session,
  type SessionSecrets,
  type SessionUser,
} from "./sessions.ts";

/** Largest number of passkeys that a user may have. */
const maxPasskeys = 20;

type Store = Pick<Context, "db" | "env" | "encryptionKeys">;

/** Lists a user's passkeys, oldest first. */
export function listPasskeys(db: Db, userId: UserId): Promise<rows.Passkey[]> {
  return rows.selectPasskeys(db, userId);
}

/**
 * Returns the options with which the browser creates a passkey.
 * @throws DomainError forbidden while nobody has proven the account's mailbox; rate_limited
 */
export async function passkeyCreationOptions(
  { db, env }: Store,
  { userId, email }: FactorOwner,
  now = new Date(),
) {
  await requireVerifiedEmail(db, userId);
  await consumeRateLimit(db, { name: "passkey-make", key: userId, limit: 20, windowSeconds: 3_600, now });
  const known = (await rows.selectPasskeys(db, userId)).map(({ id }) => id);
  const challenge = await newChallenge(db, userId, now);
  return webauthn.registrationOptions(partyOf(env), { userId, email, challenge, known });
}

/** Returns the options with which the browser signs in. @throws DomainError rate_limited */
export async function passkeyRequestOptions({ db, env }: Store, clientAddress: string, now = new Date()) {
  const key = networkOf(clientAddress);
  await consumeRateLimit(db, { name: "passkey-begin", key, limit: 60, windowSeconds: 15 * 60, now });
  return webauthn.assertionOptions(partyOf(env), await newChallenge(db, null, now));
}

/**
 * Adds a passkey that the user's browser has created. All other sessions end when it is the account's first second factor.
 * @param made.response JSON of the browser's response
 * @returns the recovery codes, which are shown only once; null when the user already has some
 * @throws DomainError bad_request at `currentPassword` or `code`; conflict for an invalid response; forbidden while nobody has
 * proven the account's mailbox; rate_limited
 */
export async function addPasskey(
  store: Store,
  owner: FactorOwner & Pick<SessionUser, "sessionId">,
  made: Reauthentication & { name: string; response: string },
  now = new Date(),
): Promise<string[] | null> {
  const { db, env } = store;
  const { userId } = owner;
  await requireVerifiedEmail(db, userId);
  await reauthenticate(store, owner, made, now);
  const take = (challenge: string) => rows.claimPasskeyChallenge(db, hashToken(challenge), userId, now);
  const credential = await webauthn.verifyAttestation(partyOf(env), made.response, take);
  if (credential === null) throw new DomainError("conflict", msg("passkeys.notMade"));
  return db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    if ((await rows.countPasskeys(trx, userId)) >= maxPasskeys)
      throw new DomainError("conflict", msg("passkeys.tooMany"));
    const isFirst = !(await hasSecondFactor(trx, userId));
    if (!(await rows.insertPasskey(trx, { ...credential, userId, name: made.name, createdAt: now })))
      throw new DomainError("conflict", msg("passkeys.notMade"));
    await notifyOfPasskey(trx, owner, "passkey-added", made.name);
    if (!isFirst) return null;
    await revokeOtherSessions(trx, owner);
    return issueRecoveryCodes(trx, userId);
  });
}

/**
 * Removes a passkey. With the last second factor, the recovery codes are deleted too.
 * @returns its name; null when it was removed before, in another tab
 * @throws DomainError bad_request at `currentPassword` or `code`; rate_limited
 */
export async function removePasskey(
  store: Store,
  owner: FactorOwner,
  removed: Reauthentication & { id: string },
  now = new Date(),
): Promise<string | null> {
  await reauthenticate(store, owner, removed, now);
  return store.db.transaction().execute(async (trx) => {
    await lockUser(trx, owner.userId);
    const name = await rows.deletePasskey(trx, owner.userId, removed.id);
    if (name === null) return null;
    await deleteOrphanRecoveryCodes(trx, owner.userId);
    await notifyOfPasskey(trx, owner, "passkey-removed", name);
    return name;
  });
}

/**
 * Signs in the user of a passkey, without a code.
 * @param response JSON of the browser's response
 * @throws DomainError unauthenticated for an invalid response, and for an unknown passkey; forbidden when the account is closed
 * or locked; rate_limited
 */
export async function signInByPasskey(
  { db, env }: Store,
  response: string,
  clientAddress: string,
  now = new Date(),
): Promise<Session> {
  const key = networkOf(clientAddress);
  await consumeRateLimit(db, { name: "passkey-sign-in", key, limit: 60, windowSeconds: 15 * 60, now });
  const answer = webauthn.parseAssertion(response);
  const passkey = answer === null ? null : await rows.selectPasskeySecret(db, answer.id);
  if (answer === null || passkey === null) throw unknownPasskey();
  const take = (challenge: string) => rows.claimPasskeyChallenge(db, hashToken(challenge), null, now);
  const counter = await webauthn.verifyAssertion(partyOf(env), answer, passkey, take);
  // The signature belongs to one user's credential; a handle must not name another user.
  const { userHandle = "" } = answer.response;
  const isTheirs = userHandle === "" || webauthn.userIdOf(userHandle) === passkey.userId;
  if (counter === null || !isTheirs) throw unknownPasskey(passkey.userId);
  return db.transaction().execute((trx) => enter(trx, env.SESSION_SECRETS, { ...passkey, counter }, now));
}

async function enter(
  trx: Trx,
  secrets: SessionSecrets,
  { id, userId, counter }: rows.PasskeySecret,
  now: Date,
): Promise<Session> {
  await requireOpenAccount(trx, userId);
  if (!(await rows.recordPasskeyUse(trx, id, counter, now))) throw unknownPasskey(userId);
  return createSession(trx, secrets, userId, now);
}

async function newChallenge(db: Db, userId: UserId | null, now: Date): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = Uint8Array.from(randomBytes(32));
  await rows.insertPasskeyChallenge(db, {
    hash: hashToken(Buffer.from(challenge).toString("base64url")),
    userId,
    expiresAt: new Date(now.getTime() + webauthn.maxCeremonySeconds * 1_000),
  });
  return challenge;
}

function partyOf({ PUBLIC_URL: publicUrl }: Context["env"]): webauthn.RelyingParty {
  return { name: brand.name, publicUrl };
}

async function notifyOfPasskey(
  trx: Trx,
  owner: FactorOwner,
  what: "passkey-added" | "passkey-removed",
  name: string,
): Promise<void> {
  const { userId } = owner;
  const action = what === "passkey-added" ? "passkey.add" : "passkey.remove";
  await recordAudit(trx, { userId, action, subject: `user:${userId}`, data: { name } });
  await notifyOwner(trx, owner, { what, name });
}

function unknownPasskey(userId?: UserId): DomainError {
  return new DomainError("unauthenticated", msg("passkeys.unknown"), {
    facts: { outcome: "wrong-passkey", userId },
  });
}
