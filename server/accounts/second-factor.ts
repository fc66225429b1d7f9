/**
 * The second factor of buyers: an authenticator app, passkeys (passkeys.ts), and ten recovery codes for whoever has lost them.
 * Nobody has to have one (docs/decisions/second-factor.md). Every change asks for the password (or a mailed code) and a code of the factor, ends with a mail to the owner, and is in
 * the audit log.
 */

import { countPasskeys, deletePasskeys } from "#db/accounts/passkeys.ts";
import * as rows from "#db/accounts/second-factors.ts";
import { lockUser } from "#db/accounts/users.ts";
import type { UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { brand } from "#server/foundation/brand.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { decrypt, type EncryptedStore, encrypt } from "#server/foundation/security/cipher.ts";
import { verifyOneTimeCode } from "#server/foundation/security/one-time-codes.ts";
import { hashRecoveryCode, newRecoveryCodes } from "#server/foundation/security/recovery-codes.ts";
import { newTotpSecret, stepOfCode, totpUri } from "#server/foundation/security/totp.ts";
import { type AccountNotice, notifyOwner } from "./account-notifications.ts";
import { showHolder } from "./current-password.ts";
import { requireVerifiedEmail } from "./email-verification.ts";
import { revokeAllSessions, revokeOtherSessions, type SessionUser } from "./sessions.ts";

/** The time a user has to connect the app. */
const setUpSeconds = 30 * 60;

/** A user, as the owner of a second factor. */
export interface FactorOwner {
  userId: UserId;
  email: string;
}

/** What every change asks for. */
export interface Reauthentication {
  code: string;
  /** The password, or the mailed code of an account that has none. */
  currentPassword: string;
}

/** The context that binds the secret of an app to its user. */
const secretContext = (userId: UserId): string => `authenticator:${userId}`;

export function hasSecondFactor(db: Db, userId: UserId): Promise<boolean> {
  return rows.selectHasFactor(db, userId);
}

export interface SecondFactor {
  /** When the app was connected; null without one. */
  appSince: Date | null;
  passkeys: number;
  recoveryCodesLeft: number;
}

/** `null` without one. */
export async function readSecondFactor(db: Db, userId: UserId): Promise<SecondFactor | null> {
  const app = await rows.selectAuthenticator(db, userId);
  const passkeys = await countPasskeys(db, userId);
  if (app === null && passkeys === 0) return null;
  const recoveryCodesLeft = await rows.countRecoveryCodes(db, userId);
  return { appSince: app?.addedAt ?? null, passkeys, recoveryCodesLeft };
}

/**
 * Takes a code of the app, or a recovery code, whose use the owner is told of. Pass the database, not a transaction: failed
 * attempts must count.
 * @returns how many recovery codes are left, when it was one of them
 * @throws DomainError as verifyOneTimeCode
 */
export async function verifySecondFactor(
  { db, encryptionKeys }: EncryptedStore,
  owner: FactorOwner,
  typed: string,
  now = new Date(),
): Promise<{ recoveryCodesLeft: number | null }> {
  const { userId } = owner;
  const holder = {
    limit: { name: "second-factor", key: userId },
    account: { userId },
    refusal: msg("twoStep.codeWrong"),
    async readSecret() {
      const app = await rows.selectAuthenticator(db, userId);
      return app === null ? null : decrypt(encryptionKeys, app.totpCiphertext, secretContext(userId));
    },
    takeStep: (step: number) => rows.claimTotpStep(db, userId, step),
    takeRecoveryCode: (hash: string) =>
      db.transaction().execute(async (trx) => {
        if (!(await rows.claimRecoveryCode(trx, userId, hash, now))) return false;
        await notifyOfChange(trx, owner, "recovery-code-used");
        return true;
      }),
  };
  const kind = await verifyOneTimeCode(db, holder, typed, now);
  return { recoveryCodesLeft: kind === "app" ? null : await rows.countRecoveryCodes(db, userId) };
}

/**
 * Makes the secret that an app is to be connected with, in the place of an earlier one.
 * @param shown asked for where there is another second factor already
 * @throws DomainError bad_request at `currentPassword` or `code`; rate_limited; forbidden while nobody has proven the account's mailbox; conflict when there is an app
 */
export async function startAuthenticatorSetup(
  store: EncryptedStore,
  owner: FactorOwner,
  shown: Reauthentication,
  now = new Date(),
): Promise<void> {
  const { db, encryptionKeys } = store;
  const { userId } = owner;
  await requireVerifiedEmail(db, userId);
  if ((await rows.selectAuthenticator(db, userId)) !== null) throw hasOneAlready();
  if (await hasSecondFactor(db, userId)) await show(store, owner, shown, now);
  await rows.saveAuthenticatorSetup(db, {
    userId,
    totpCiphertext: encrypt(encryptionKeys, newTotpSecret(), secretContext(userId)),
    expiresAt: new Date(now.getTime() + setUpSeconds * 1_000),
  });
}

export interface AuthenticatorSetup {
  /** In base32, for an app that reads no QR code. */
  secret: string;
  /** What the QR code says. */
  address: string;
}

/** What was begun. `null` when nothing was, or it is over. */
export async function readAuthenticatorSetup(
  store: EncryptedStore,
  { userId, email }: FactorOwner,
  now = new Date(),
): Promise<AuthenticatorSetup | null> {
  const secret = await readSecret(store, userId, now);
  return secret === null ? null : { secret, address: totpUri(secret, { issuer: brand.name, email }) };
}

/**
 * Connects the app. Every other session ends, because it may have been opened without a second factor.
 * @returns the recovery codes, which can be read here and never again
 * @throws DomainError bad_request at the field `code` or `currentPassword`; conflict when what was begun is over, or there is an
 * app already; rate_limited
 */
export async function confirmAuthenticatorSetup(
  store: EncryptedStore,
  owner: FactorOwner & Pick<SessionUser, "sessionId">,
  { code, currentPassword }: Reauthentication,
  now = new Date(),
): Promise<string[]> {
  const { db, encryptionKeys } = store;
  const { userId } = owner;
  const { secret, step } = await showHolder(db, userId, currentPassword, async () => {
    const begun = await readSecret(store, userId, now);
    if (begun === null) throw new DomainError("conflict", msg("twoStep.setUpOver"));
    const stepOfApp = stepOfCode(begun, code.replaceAll(/\s/g, ""), now);
    if (stepOfApp === null)
      throw wrongField("code", msg("twoStep.setUpCodeWrong"), { outcome: "wrong-code", userId });
    return { secret: begun, step: stepOfApp };
  });
  return db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const isNew = await rows.insertAuthenticator(trx, {
      userId,
      totpCiphertext: encrypt(encryptionKeys, secret, secretContext(userId)),
      totpStep: step,
      addedAt: now,
    });
    if (!isNew) throw hasOneAlready();
    await rows.deleteAuthenticatorSetup(trx, userId);
    await revokeOtherSessions(trx, owner);
    await notifyOfChange(trx, owner, "second-factor-on");
    return issueRecoveryCodes(trx, userId);
  });
}

/**
 * Ten new recovery codes, in the place of the old.
 * @throws DomainError as verifySecondFactor, showHolder
 */
export async function renewRecoveryCodes(
  store: EncryptedStore,
  owner: FactorOwner,
  shown: Reauthentication,
  now = new Date(),
): Promise<string[]> {
  await show(store, owner, shown, now);
  return store.db.transaction().execute(async (trx) => {
    await lockUser(trx, owner.userId);
    // Switched off in another tab meanwhile.
    if (!(await hasSecondFactor(trx, owner.userId))) throw wrongField("code", msg("twoStep.codeWrong"));
    await notifyOfChange(trx, owner, "recovery-codes-renewed");
    return issueRecoveryCodes(trx, owner.userId);
  });
}

/**
 * Takes the app away, and with the last second factor the recovery codes.
 * @throws DomainError as verifySecondFactor, showHolder
 */
export async function disconnectAuthenticator(
  store: EncryptedStore,
  owner: FactorOwner,
  shown: Reauthentication,
  now = new Date(),
): Promise<void> {
  await show(store, owner, shown, now);
  await store.db.transaction().execute(async (trx) => {
    await lockUser(trx, owner.userId);
    if (!(await rows.deleteAuthenticator(trx, owner.userId))) return;
    await deleteOrphanRecoveryCodes(trx, owner.userId);
    await notifyOfChange(trx, owner, "second-factor-off");
  });
}

/**
 * For somebody who has lost both app and codes: staff remove it once they know who asks. Does nothing without one.
 */
export async function removeSecondFactor(
  trx: Trx,
  owner: FactorOwner,
  { staffId, by, reason }: AuditContext,
): Promise<void> {
  await lockUser(trx, owner.userId);
  if (!(await forget(trx, owner.userId))) return;
  await revokeAllSessions(trx, owner.userId);
  await recordAudit(trx, {
    userId: null,
    staffId,
    action: "second-factor.remove",
    subject: `user:${owner.userId}`,
    data: { by, reason },
  });
  await notifyOwner(trx, owner, { what: "second-factor-removed" });
}

/** Checks a user who may have no second factor yet: then the password, or the mailed code, suffices. @throws DomainError as renewRecoveryCodes */
export async function reauthenticate(
  store: EncryptedStore,
  owner: FactorOwner,
  shown: Reauthentication,
  now: Date,
): Promise<void> {
  if (await hasSecondFactor(store.db, owner.userId)) await show(store, owner, shown, now);
  else await showHolder(store.db, owner.userId, shown.currentPassword, async () => {});
}

/** The password first, because it takes no code away. */
async function show(
  store: EncryptedStore,
  owner: FactorOwner,
  shown: Reauthentication,
  now: Date,
): Promise<void> {
  await showHolder(store.db, owner.userId, shown.currentPassword, () =>
    verifySecondFactor(store, owner, shown.code, now),
  );
}

/** @returns false when there was none */
async function forget(trx: Trx, userId: UserId): Promise<boolean> {
  await rows.replaceRecoveryCodes(trx, userId, []);
  await rows.deleteAuthenticatorSetup(trx, userId);
  const hadApp = await rows.deleteAuthenticator(trx, userId);
  const passkeys = await deletePasskeys(trx, userId);
  return hadApp || passkeys > 0;
}

/** Once the last second factor is gone. */
export async function deleteOrphanRecoveryCodes(trx: Trx, userId: UserId): Promise<void> {
  if (!(await hasSecondFactor(trx, userId))) await rows.replaceRecoveryCodes(trx, userId, []);
}

/** Ten new ones, in the place of the old. */
export async function issueRecoveryCodes(trx: Trx, userId: UserId): Promise<string[]> {
  const codes = newRecoveryCodes();
  await rows.replaceRecoveryCodes(trx, userId, codes.map(hashRecoveryCode));
  return codes;
}

async function readSecret(
  { db, encryptionKeys }: EncryptedStore,
  userId: UserId,
  now: Date,
): Promise<string | null> {
  const ciphertext = await rows.selectAuthenticatorSetup(db, userId, now);
  return ciphertext === null ? null : decrypt(encryptionKeys, ciphertext, secretContext(userId));
}

type Change = Extract<
  AccountNotice["what"],
  "second-factor-on" | "second-factor-off" | "recovery-codes-renewed" | "recovery-code-used"
>;

const actions = {
  "second-factor-on": "second-factor.on",
  "second-factor-off": "second-factor.off",
  "recovery-codes-renewed": "recovery-codes.renew",
  "recovery-code-used": "recovery-code.use",
} as const satisfies Record<Change, string>;

async function notifyOfChange(trx: Trx, owner: FactorOwner, what: Change): Promise<void> {
  const { userId } = owner;
  await recordAudit(trx, { userId, action: actions[what], subject: `user:${userId}` });
  await notifyOwner(trx, owner, { what });
}

function hasOneAlready(): DomainError {
  return new DomainError("conflict", msg("twoStep.hasOneAlready"));
}
