/**
 * External identities and the users they belong to. Issuer and subject identify one, never an email. It is linked to an account
 * when its holder proves the account's mailbox, or knows its password.
 */

import * as rows from "#db/accounts/identities.ts";
import * as users from "#db/accounts/users.ts";
import type { UserId } from "#db/ids.ts";
import type { IdentityProofKind, IdentityProviderId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { notifyOwner } from "./account-notifications.ts";
import { passFirstFactor, type SignInOutcome } from "./complete-sign-in.ts";
import { recordEmailVerification } from "./email-verification.ts";
import type { SessionSecrets } from "./sessions.ts";
import { createUser, findUserByEmail } from "./users.ts";

export interface Identity {
  provider: IdentityProviderId;
  issuer: string;
  subject: string;
  /** Email as reported by the provider; unverified. */
  email: string | null;
}

export interface NamedIdentity extends Identity {
  firstName: string;
  lastName: string;
}

/** Person who may get an account, and the language of the mails to them. */
export interface NewIdentityUser extends NamedIdentity {
  language: LanguageId;
}

export interface SignedIn {
  signIn: SignInOutcome;
  /** Whether a password was removed because it was set before the account's mailbox was proven. */
  passwordRemoved: boolean;
}

/** Returns the identity's user; `null` when it does not belong to an account yet. */
export async function findIdentityUser(
  db: Db,
  identity: Pick<Identity, "issuer" | "subject">,
): Promise<UserId | null> {
  return (await rows.selectIdentityUser(db, identity)) ?? null;
}

/**
 * Logs in an identity whose holder has proven the mailbox: into the account of that email, or into a new one. If this is
 * the first email verification and it removes a password, the name and phone given with that password are replaced too.
 * @throws DomainError forbidden when the account is closed or locked; conflict when the identity already belongs to another
 * account
 */
export async function signInByVerifiedEmail(
  trx: Trx,
  secrets: SessionSecrets,
  identity: NewIdentityUser,
  email: string,
): Promise<SignedIn> {
  const userId = await findOrMakeUser(trx, identity, email);
  const { passwordRemoved } = await recordEmailVerification(trx, userId, { passwordChosen: false });
  // An account without a password keeps its name: it was created while ordering, and the name is on the order.
  if (passwordRemoved) await users.replacePerson(trx, userId, identity);
  await linkIdentity(trx, { ...identity, email }, userId, "email");
  return { signIn: await passFirstFactor(trx, secrets, userId), passwordRemoved };
}

/**
 * Links an identity to an account.
 * @throws DomainError conflict when it belongs to another account
 */
export async function linkIdentity(
  trx: Trx,
  { provider, issuer, subject, email }: Identity,
  userId: UserId,
  proof: IdentityProofKind,
): Promise<void> {
  if (!(await rows.insertIdentity(trx, { provider, issuer, subject, email, userId, proof }))) {
    // Another tab has just linked the same account.
    if ((await rows.selectIdentityUser(trx, { issuer, subject })) === userId) return;
    throw identityTaken({ provider });
  }
  const user = await users.selectUser(trx, userId);
  if (user !== null)
    await notifyOwner(trx, { userId, email: user.email }, { what: "identity-linked", provider });
  await recordAudit(trx, {
    userId,
    action: "identity.link",
    subject: `user:${userId}`,
    data: { provider, issuer, identity: subject, proof },
  });
}

/** Returns the refusal of an identity that belongs to another account. */
export function identityTaken({ provider }: Pick<Identity, "provider">): DomainError {
  const { name } = identityProviders[provider];
  return new DomainError("conflict", msg("access.identityTaken", { provider: name }));
}

async function findOrMakeUser(
  trx: Trx,
  { firstName, lastName, language }: NewIdentityUser,
  email: string,
): Promise<UserId> {
  const known = await findUserByEmail(trx, email);
  if (known !== null) return known.id;
  try {
    return await createUser(trx, { email, firstName, lastName, phone: "", password: null, language });
  } catch (error) {
    // Another request has created an account with this email since the check above. The transaction is still usable.
    const made = error instanceof DomainError ? await findUserByEmail(trx, email) : null;
    if (made === null) throw error;
    return made.id;
  }
}
