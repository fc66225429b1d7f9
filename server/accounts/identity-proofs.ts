/**
 * Proofs for identities that must not log in yet, because their email is only claimed. The browser holds a random key, and the
 * table holds the key's hash. The proof is a code mailed to the address, or the password of the account with that address. Either
 * works once.
 *
 * A code is not stored but computed, from the proof's id, the address and the code's number, with a key that is not in the
 * database. So a mail that is sent again after a crash has the same code, and reading the database reveals none.
 */
import { createHmac } from "node:crypto";
import * as rows from "#db/accounts/identities.ts";
import * as users from "#db/accounts/users.ts";
import { type IdentityProofId, newId } from "#db/ids.ts";
import type { IdentityProviderId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { queueMail } from "#server/foundation/outbox/mail.ts";
import type { EncryptionKey } from "#server/foundation/security/cipher.ts";
import { networkOf } from "#server/foundation/security/network.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import { hashToken, isSameSecret, newToken } from "#server/foundation/security/token.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import type { Context } from "#server/platform/context.ts";
import { linkIdentity, type NamedIdentity, type SignedIn, signInByVerifiedEmail } from "./identities.ts";
import { logIn } from "./login.ts";
import { readSession } from "./sessions.ts";

import { findUserByEmail } from "./users.ts";

/** Lifetime of a proof. */
export const proofSeconds = 30 * 60;
export const codeMinutes = 15;
const codeDigits = 8;
const hour = 3600;

/** View model of the proof's page. */
export interface Proof {
  email: string | null;
  /** Whether a code has been mailed to `email`. */
  codeSent: boolean;
  /** Whether `email` has an account, whose password is accepted too. */
  hasAccount: boolean;
  returnPath: string;
}

/** `key` is the browser's key. */
interface Step {
  key: string;
  provider: IdentityProviderId;
  clientAddress: string;
  language: LanguageId;
}

/** @returns the key for the browser's cookie, 43 characters of base64url */
export async function openProof(trx: Trx, person: NamedIdentity, returnPath: string): Promise<string> {
  const key = newToken();
  await rows.insertIdentityProof(trx, {
    id: newId<IdentityProofId>(),
    keyHash: hashToken(key),
    provider: person.provider,
    issuer: person.issuer,
    subject: person.subject,
    firstName: person.firstName,
    lastName: person.lastName,
    email: person.email,
    returnPath,
    expiresAt: new Date(Date.now() + proofSeconds * 1_000),
  });
  return key;
}

/** Returns a proof; `null` when there is none at this provider, or it is used or expired. */
export async function readProof(
  db: Db,
  { key, provider }: Pick<Step, "key" | "provider">,
): Promise<Proof | null> {
  const proof = await rows.selectLiveIdentityProof(db, hashToken(key), new Date());
  if (proof === null || proof.provider !== provider) return null;
  const { email, codesSent, returnPath } = proof;
  return {
    email,
    codeSent: codesSent > 0,
    hasAccount: email !== null && (await findUserByEmail(db, email)) !== null,
    returnPath,
  };
}

/**
 * Mails a code to an address, which invalidates earlier codes.
 * @throws DomainError bad_request when the proof has expired or been used; rate_limited
 */
export async function mailCode({ db }: Context, step: Step, address: string): Promise<void> {
  const email = address.trim();
  const proof = await requireProof(db, step);
  await consumeRateLimit(db, {
    name: "identity-code-network",
    key: networkOf(step.clientAddress),
    limit: 20,
    windowSeconds: hour,
  });
  await consumeRateLimit(db, {
    name: "identity-code-email",
    key: email.toLowerCase(),
    limit: 5,
    windowSeconds: hour,
  });
  await db.transaction().execute(async (trx) => {
    const number = await rows.recordCodeSent(
      trx,
      proof.id,
      email,
      new Date(Date.now() + codeMinutes * 60_000),
    );
    if (number === undefined) throw over(proof);
    await queueMail(trx, {
      kind: "outlook-code",
      dedupeKey: `outlook-code:${proof.id}:${number}`,
      recipient: email,
      data: { proof: proof.id, number: String(number), language: step.language, provider: proof.provider },
    });
  });
}

/**
 * Computes the code for a mail.
 * @param key the first of the process's encryption keys; a code mailed before a key change matches a later one
 */
export function codeOf(key: EncryptionKey, proof: { id: string; email: string; number: number }): string {
  const digest = createHmac("sha256", key.bytes)
    // Keeps the name from the time when Outlook was the only provider; another name would invalidate codes in transit.
    .update(`outlook-code\n${proof.id}\n${proof.email.toLowerCase()}\n${proof.number}`)
    .digest();
  return String(digest.readBigUInt64BE() % 10n ** BigInt(codeDigits)).padStart(codeDigits, "0");
}

/**
 * Logs in with the code: into the account of the address, or into a new one.
 * @throws DomainError bad_request on the field `code` when it is wrong or expired, without fields when the proof has expired;
 * rate_limited after five guesses; forbidden when the account is closed or locked
 */
export async function proveByCode(
  { db, env, encryptionKeys }: Context,
  step: Step,
  code: string,
): Promise<SignedIn> {
  const proof = await requireProof(db, step);
  // Counted before the code is checked, so that concurrent guesses cannot exceed the limit.
  await consumeRateLimit(db, {
    name: "identity-code-guess",
    key: proof.id,
    limit: 5,
    windowSeconds: codeMinutes * 60,
  });
  const { id, email, codesSent: number, codeExpiresAt: expiresAt } = proof;
  const typed = code.replaceAll(/\s/g, "");
  const isRight =
    email !== null &&
    expiresAt !== null &&
    expiresAt > new Date() &&
    encryptionKeys.some((key) => isSameSecret(codeOf(key, { id, email, number }), typed));
  if (!isRight) throw wrongField("code", msg("access.codeWrong"), { outcome: "wrong-code" });
  return db.transaction().execute(async (trx) => {
    await spend(trx, proof);
    const newcomer = { ...identityOf(proof), language: step.language };
    return signInByVerifiedEmail(trx, env.SESSION_SECRETS, newcomer, email);
  });
}

/**
 * Logs in with the password of the account with the address, as the login does, and links the identity to it. An account with a
 * second factor accepts only the mailed code, so that a password is not enough to link an identity.
 * @throws DomainError as logIn does; bad_request when the proof has expired
 */
export async function proveByPassword({ db, env }: Context, step: Step, password: string): Promise<SignedIn> {
  const proof = await requireProof(db, step);
  const secrets = env.SESSION_SECRETS;
  const { token, user } = await logIn(
    db,
    secrets,
    { email: proof.email ?? "", password },
    step.clientAddress,
  );
  await db.transaction().execute(async (trx) => {
    await users.lockUser(trx, user.userId);
    // A password reset in the meantime has revoked the new session, and then no identity must be linked.
    if ((await readSession(trx, secrets, token)) === null) throw over(proof);
    await spend(trx, proof);
    await linkIdentity(trx, identityOf(proof), user.userId, "password");
  });
  const session = { sessionId: user.sessionId, userId: user.userId, token };
  return { signIn: { outcome: "signed-in", session }, passwordRemoved: false };
}

async function requireProof(db: Db, { key, provider }: Step): Promise<rows.IdentityProof> {
  const proof = await rows.selectLiveIdentityProof(db, hashToken(key), new Date());
  if (proof === null || proof.provider !== provider) throw over({ provider });
  return proof;
}

async function spend(trx: Trx, proof: rows.IdentityProof): Promise<void> {
  if (!(await rows.claimIdentityProof(trx, proof, new Date()))) throw over(proof);
}

function identityOf(proof: rows.IdentityProof): NamedIdentity {
  const { provider, issuer, subject, email, firstName, lastName } = proof;
  return { provider, issuer, subject, email, firstName, lastName };
}

function over({ provider }: { provider: IdentityProviderId }): DomainError {
  const { name } = identityProviders[provider];
  return new DomainError("bad_request", msg("access.proofOver", { provider: name }));
}
