/**
 * Passkeys: signing in without a password, by what a device keeps and its PIN, finger or face opens. One is both factors at once.
 * What a browser is asked to sign is a row, taken once and for five minutes. Only its hash is stored.
 */
import { randomBytes } from "node:crypto";
import type { UserId } from "#db/ids.ts";
import * as rows from "#db/passkeys.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { lockActiveUser, lockUser } from "#db/users.ts";
import { brand } from "../brand.ts";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";
import { told } from "../languages/text.ts";
import { networkOf } from "../security/network.ts";
import { consumeRateLimit } from "../security/rate-limit.ts";
import { hashToken } from "../security/token.ts";
import * as webauthn from "../security/webauthn.ts";
import { record } from "./audit.ts";
import { requireProvenMailbox } from "./mailbox-proof.ts";
import { notifyOwner } from "./notices.ts";
import {
  forgetCodesOfNone,
  hasSecondFactor,
  makeRecoveryCodes,
  type Owner,
  type Shown,
  showIfAny,
} from "./second-factor.ts";
import {
  createSession,
  revokeOtherSessions,
  type Session,
  type SessionSecrets,
  type SessionUser,
} from "./sessions.ts";

/** The most that a user may have. */
const mostPasskeys = 20;

type Store = Pick<Context, "db" | "env" | "encryptionKeys">;

/** A user's passkeys, the oldest first. */
export function listPasskeys(db: Db, userId: UserId): Promise<rows.Passkey[]> {
  return rows.selectPasskeys(db, userId);
}

/**
 * What the browser needs to make a passkey.
 * @throws DomainError forbidden while nobody has proven the account's mailbox; rate_limited
 */
export async function passkeyToMake({ db, env }: Store, { userId, email }: Owner, now = new Date()) {
  await requireProvenMailbox(db, userId);
  await consumeRateLimit(db, { name: "passkey-make", key: userId, limit: 20, windowSeconds: 3_600, now });
  const known = (await rows.selectPasskeys(db, userId)).map(({ id }) => id);
  const challenge = await newChallenge(db, userId, now);
  return webauthn.registrationOptions(partyOf(env), { userId, email, challenge, known });
}

/** What the browser needs to sign in. @throws DomainError rate_limited */
export async function passkeyToSignIn({ db, env }: Store, clientAddress: string, now = new Date()) {
  const key = networkOf(clientAddress);
  await consumeRateLimit(db, { name: "passkey-begin", key, limit: 60, windowSeconds: 15 * 60, now });
  return webauthn.signInOptions(partyOf(env), await newChallenge(db, null, now));
}

/**
 * Adds a passkey that the user's browser has made. Every other session ends when it is the account's first second factor.
 * @param made.response JSON of the browser's answer
 * @returns the recovery codes, which can be read here and never again; null when the user has some already
 * @throws DomainError bad_request at `currentPassword` or `code`; conflict for an answer that is not right; forbidden while nobody
 * has proven the account's mailbox; rate_limited
 */
export async function addPasskey(
  store: Store,
  owner: Owner & Pick<SessionUser, "sessionId">,
  made: Shown & { name: string; response: string },
  now = new Date(),
): Promise<string[] | null> {
  const { db, env } = store;
  const { userId } = owner;
  await requireProvenMailbox(db, userId);
  await showIfAny(store, owner, made, now);
  const take = (challenge: string) => rows.takePasskeyChallenge(db, hashToken(challenge), userId, now);
  const credential = await webauthn.readRegistration(partyOf(env), made.response, take);
  if (credential === null) throw new DomainError("conflict", told("passkeys.notMade"));
  return db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    if ((await rows.countPasskeys(trx, userId)) >= mostPasskeys)
      throw new DomainError("conflict", told("passkeys.tooMany"));
    const isFirst = !(await hasSecondFactor(trx, userId));
    if (!(await rows.insertPasskey(trx, { ...credential, userId, name: made.name, createdAt: now })))
      throw new DomainError("conflict", told("passkeys.notMade"));
    await tell(trx, owner, "passkey-added", made.name);
    if (!isFirst) return null;
    await revokeOtherSessions(trx, owner);
    return makeRecoveryCodes(trx, userId);
  });
}

/**
 * Removes a passkey. The recovery codes go with the last second factor.
 * @returns its name; null when it was removed before, in another tab
 * @throws DomainError bad_request at `currentPassword` or `code`; rate_limited
 */
export async function removePasskey(
  store: Store,
  owner: Owner,
  removed: Shown & { id: string },
  now = new Date(),
): Promise<string | null> {
  await showIfAny(store, owner, removed, now);
  return store.db.transaction().execute(async (trx) => {
    await lockUser(trx, owner.userId);
    const name = await rows.deletePasskey(trx, owner.userId, removed.id);
    if (name === null) return null;
    await forgetCodesOfNone(trx, owner.userId);
    await tell(trx, owner, "passkey-removed", name);
    return name;
  });
}

/**
 * Signs in with a passkey of whomever it belongs to. No code is asked for.
 * @param response JSON of the browser's answer
 * @throws DomainError unauthenticated for an answer that is not right, and a passkey that is not known; forbidden when the account
 * is disabled; rate_limited
 */
export async function signInByPasskey(
  { db, env }: Store,
  response: string,
  clientAddress: string,
  now = new Date(),
): Promise<Session> {
  const key = networkOf(clientAddress);
  await consumeRateLimit(db, { name: "passkey-sign-in", key, limit: 60, windowSeconds: 15 * 60, now });
  const answer = webauthn.readSignIn(response);
  const passkey = answer === null ? null : await rows.selectPasskeySecret(db, answer.id);
  if (answer === null || passkey === null) throw unknownPasskey();
  const take = (challenge: string) => rows.takePasskeyChallenge(db, hashToken(challenge), null, now);
  const counter = await webauthn.checkSignIn(partyOf(env), answer, passkey, take);
  const isTheirs = webauthn.userIdOf(answer.response.userHandle ?? "") === passkey.userId;
  if (counter === null || !isTheirs) throw unknownPasskey();
  return db.transaction().execute((trx) => enter(trx, env.SESSION_SECRETS, { ...passkey, counter }, now));
}

async function enter(
  trx: Trx,
  secrets: SessionSecrets,
  { id, userId, counter }: rows.PasskeySecret,
  now: Date,
): Promise<Session> {
  if (!(await lockActiveUser(trx, userId))) throw new DomainError("forbidden", told("access.accountClosed"));
  if (!(await rows.countUse(trx, id, counter, now))) throw unknownPasskey();
  return createSession(trx, secrets, userId, now);
}

async function newChallenge(db: Db, userId: UserId | null, now: Date): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = Uint8Array.from(randomBytes(32));
  await rows.insertPasskeyChallenge(db, {
    hash: hashToken(Buffer.from(challenge).toString("base64url")),
    userId,
    expiresAt: new Date(now.getTime() + webauthn.ceremonySeconds * 1_000),
  });
  return challenge;
}

function partyOf({ PUBLIC_URL: publicUrl }: Context["env"]): webauthn.RelyingParty {
  return { name: brand.name, publicUrl };
}

async function tell(
  trx: Trx,
  owner: Owner,
  what: "passkey-added" | "passkey-removed",
  name: string,
): Promise<void> {
  const { userId } = owner;
  const action = what === "passkey-added" ? "passkey.add" : "passkey.remove";
  await record(trx, { userId, action, subject: `user:${userId}`, data: { name } });
  await notifyOwner(trx, owner, { what, name });
}

function unknownPasskey(): DomainError {
  return new DomainError("unauthenticated", told("passkeys.unknown"));
}
