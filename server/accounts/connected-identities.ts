/**
 * The identities connected with a user's account: lists them, connects one while signed in, and removes one. As every change of
 * how to sign in, both ask for the password and a code, and end with a mail.
 */
import * as rows from "#db/accounts/identities.ts";
import { countPasskeys } from "#db/accounts/passkeys.ts";
import { lockUser } from "#db/accounts/users.ts";
import type { UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import type { IdentityPerson } from "#server/integrations/identity-providers/client.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import type { Context } from "#server/platform/context.ts";
import { notifyOwner } from "./account-notifications.ts";
import { requireVerifiedEmail } from "./email-verification.ts";
import { findIdentityUser, identityTaken, linkIdentity } from "./identities.ts";
import { isSameEmail } from "./invites.ts";
import { type FactorOwner, type Reauthentication, reauthenticate } from "./second-factor.ts";
import { revokeOtherSessions, type SessionUser } from "./sessions.ts";
import { findUser } from "./users.ts";

type Store = Pick<Context, "db" | "encryptionKeys" | "identityClients">;

/** An identity that opens the account. */
export interface ConnectedIdentity extends rows.StoredIdentity {
  /** Key that names it in a form. */
  key: string;
}

/** Lists a user's connected identities, oldest first. */
export async function listConnected(db: Db, userId: UserId): Promise<ConnectedIdentity[]> {
  const identities = await rows.selectIdentities(db, userId);
  return identities.map((identity) => ({ ...identity, key: `${identity.issuer} ${identity.subject}` }));
}

/**
 * Checks that an identity can be connected after the return from its provider.
 * @throws DomainError conflict when the identity already opens an account, this one or another
 */
export async function requireUnconnected(db: Db, userId: UserId, person: IdentityPerson): Promise<void> {
  const holder = await findIdentityUser(db, person);
  if (holder === null) return;
  if (holder !== userId) throw identityTaken(person);
  const { name: provider } = identityProviders[person.provider];
  throw new DomainError("conflict", msg("signIns.already", { provider }));
}

/**
 * Connects an identity. It counts as linked by the mailbox only when the provider has verified the account's own address. Any
 * other depends on the password, and is removed when the password changes.
 * @param person as signed by the provider, in this session
 * @throws DomainError bad_request at `currentPassword` or `code`; forbidden while nobody has proven the account's mailbox;
 * conflict when it belongs to another account; rate_limited
 */
export async function connectIdentity(
  store: Store,
  owner: FactorOwner,
  person: IdentityPerson,
  shown: Reauthentication,
  now = new Date(),
): Promise<void> {
  const { db } = store;
  await requireVerifiedEmail(db, owner.userId);
  await reauthenticate(store, owner, shown, now);
  const isOwnMailbox =
    person.emailIsVerified && person.email !== null && isSameEmail(person.email, owner.email);
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, owner.userId);
    await linkIdentity(trx, person, owner.userId, isOwnMailbox ? "email" : "password");
  });
}

/**
 * Removes an identity, and ends every other session, because it may have opened them.
 * @param removed.key of the identity
 * @returns the provider's name; null when it was removed before, in another tab
 * @throws DomainError bad_request at `currentPassword` or `code`; conflict when it is the only way to sign in; rate_limited
 */
export async function disconnectIdentity(
  store: Store,
  owner: FactorOwner & Pick<SessionUser, "sessionId">,
  removed: Reauthentication & { key: string },
  now = new Date(),
): Promise<string | null> {
  const { userId } = owner;
  await reauthenticate(store, owner, removed, now);
  return store.db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const identity = (await listConnected(trx, userId)).find(({ key }) => key === removed.key);
    if (identity === undefined) return null;
    if (!(await hasAnotherWayIn(trx, store, userId, identity.key)))
      throw new DomainError("conflict", msg("signIns.lastWay"));
    await rows.deleteIdentity(trx, userId, identity);
    await revokeOtherSessions(trx, owner);
    const { provider, issuer, subject } = identity;
    await recordAudit(trx, {
      userId,
      action: "identity.unlink",
      subject: `user:${userId}`,
      data: { provider, issuer, identity: subject },
    });
    await notifyOwner(trx, owner, { what: "identity-unlinked", provider });
    return identityProviders[provider].name;
  });
}

/**
 * Whether the user has a password, a passkey, or another identity whose provider is still offered. A mailed link does not count:
 * it is for users who forgot their password.
 */
async function hasAnotherWayIn(
  db: Db | Trx,
  { identityClients }: Pick<Store, "identityClients">,
  userId: UserId,
  without: string,
): Promise<boolean> {
  if ((await findUser(db, userId))?.hasPassword === true) return true;
  if ((await countPasskeys(db, userId)) > 0) return true;
  const others = (await listConnected(db, userId)).filter(({ key }) => key !== without);
  return others.some(({ provider }) => identityClients.has(provider));
}
