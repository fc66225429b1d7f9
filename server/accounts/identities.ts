/**
 * Outside identities: which of them is which user. An identity is named by issuer and subject and never by an email; it comes
 * to an account by its holder having the account's mailbox, or knowing its password.
 */
import * as users from "#db/accounts.ts";
import * as rows from "#db/identities.ts";
import type { UserId } from "#db/ids.ts";
import type { IdentityProofKind } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { DomainError } from "../errors.ts";
import { record } from "./audit.ts";
import { createSession, revokeAllSessions, type Session } from "./sessions.ts";
import { createUser, findUser, findUserByEmail } from "./users.ts";

export interface Identity {
  issuer: string;
  subject: string;
}

export interface NamedIdentity extends Identity {
  firstName: string;
  lastName: string;
}

export interface SignedIn {
  session: Session;
  /** The account had a password that was set before anybody had proven its mailbox: it is gone. */
  passwordRemoved: boolean;
}

export const accountClosed = "This account has been closed. Please contact support.";

/** `null` for an identity that belongs to no account yet. */
export async function findIdentityUser(db: Db, identity: Identity): Promise<UserId | null> {
  return (await rows.selectIdentityUser(db, identity)) ?? null;
}

/**
 * A new session for an account that its identity or its mailbox opened.
 * @throws DomainError forbidden when the account is disabled
 */
export async function openSession(trx: Trx, secret: string, userId: UserId): Promise<Session> {
  if (!(await users.lockActiveUser(trx, userId))) throw new DomainError("forbidden", accountClosed);
  return createSession(trx, secret, userId);
}

/**
 * Signs an identity in whose holder is known to have the mailbox: into the account of that email, or into a new one.
 * An account whose mailbox nobody had proven before may be a trap that a stranger laid in this person's name (DESIGN ruling 4):
 * what opened it until now opens it no more, and a name and phone that came with a password go.
 * @throws DomainError forbidden when the account is disabled; conflict when the identity has an account already
 */
export async function signInByMailbox(
  trx: Trx,
  secret: string,
  identity: NamedIdentity,
  email: string,
): Promise<SignedIn> {
  const userId = await findOrMakeUser(trx, identity, email);
  // What is decided below holds until the end.
  if (!(await users.lockActiveUser(trx, userId))) throw new DomainError("forbidden", accountClosed);
  const user = await findUser(trx, userId);
  const isFirstProof = await users.markEmailVerified(trx, userId, new Date());
  if (isFirstProof) {
    // An account without a password was made while ordering, and its name is on the order.
    if (user?.hasPassword === true) await users.replaceUnproven(trx, userId, identity);
    await rows.deleteIdentities(trx, userId, "password");
    await revokeAllSessions(trx, userId);
    await record(trx, { userId, action: "email.verify", subject: `user:${userId}` });
  }
  await linkIdentity(trx, identity, userId, "email");
  return {
    session: await createSession(trx, secret, userId),
    passwordRemoved: isFirstProof && user?.hasPassword === true,
  };
}

/**
 * Gives an identity its account.
 * @throws DomainError conflict when it is another's already
 */
export async function linkIdentity(
  trx: Trx,
  { issuer, subject }: Identity,
  userId: UserId,
  proof: IdentityProofKind,
): Promise<void> {
  if (!(await rows.insertIdentity(trx, { issuer, subject, user_id: userId, proof }))) {
    // Two tabs at once: the other has just done the same.
    if ((await rows.selectIdentityUser(trx, { issuer, subject })) === userId) return;
    throw new DomainError("conflict", "This Outlook account belongs to another account here.");
  }
  await record(trx, {
    userId,
    action: "identity.link",
    subject: `user:${userId}`,
    data: { issuer, identity: subject, proof },
  });
}

async function findOrMakeUser(
  trx: Trx,
  { firstName, lastName }: NamedIdentity,
  email: string,
): Promise<UserId> {
  const known = await findUserByEmail(trx, email);
  if (known !== null) return known.id;
  try {
    return await createUser(trx, { email, firstName, lastName, phone: "", password: null });
  } catch (error) {
    // Somebody made an account with this email since we looked; the transaction goes on.
    const made = error instanceof DomainError ? await findUserByEmail(trx, email) : null;
    if (made === null) throw error;
    return made.id;
  }
}
