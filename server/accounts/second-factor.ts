/**
 * Second factor of buyers: an authenticator app, passkeys (passkeys.ts), and ten recovery codes for users who have lost both. It
 * is optional (docs/decisions/accounts.md#second-factor). Every change requires the password (or a mailed code) and a code of the
 * factor, ends with a mail to the owner, and is recorded in the audit log.
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

/** Time within which a user must connect the app. */
const setUpSeconds = 30 * 60;

/** A user as the owner of a second factor. */
export interface FactorOwner {
  userId: UserId;
  email: string;
}

/** Re-authentication that every change requires. */
export interface Reauthentication {
  code: string;
  /** Password, or the mailed code of an account without one. */
  currentPassword: string;
}

/** Returns the encryption context that binds an app's secret to its user. */
const secretContext = (userId: UserId): string => `authenticator:${userId}`;

export function hasSecondFactor(db: Db, userId: UserId): Promise<boolean> {
  return rows.selectHasFactor(db, userId);
}

export interface SecondFactor {
  /** Time at which the app was connected; null without one. */
  appSince: Date | null;
  passkeys: number;
  recoveryCodesLeft: number;
}

/** Returns the second factor; `null` without one. */
export async function readSecondFactor(db: Db, userId: UserId): Promise<SecondFactor | null> {
  const app = await rows.selectAuthenticator(db, userId);
  const passkeys = await countPasskeys(db, userId);
  if (app === null && passkeys === 0) return null;
  const recoveryCodesLeft = await rows.countRecoveryCodes(db, userId);
  return { appSince: app?.addedAt ?? null, passkeys, recoveryCodesLeft };
}

/**
 * Checks a code of the app, or uses up a recovery code and mails the owner. Pass the database, not a transaction: failed attempts
 * must count.
 * @returns the number of recovery codes left, when it was one of them
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
 * Creates the secret for connecting an app, and replaces an earlier one.
 * @param shown required when there is another second factor already
 * @throws DomainError bad_request at `currentPassword` or `code`; rate_limited; forbidden while nobody has proven the account's
 * mailbox; conflict when there is an app
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
  /** Secret in base32, for an app that reads no QR code. */
  secret: string;
  /** Content of the QR code. */
  address: string;
}

/** Returns the setup in progress; `null` when there is none, or it has expired. */
export async function readAuthenticatorSetup(
  store: EncryptedStore,
  { userId, email }: FactorOwner,
  now = new Date(),
): Promise<AuthenticatorSetup | null> {
  const secret = await readSecret(store, userId, now);
  return secret === null ? null : { secret, address: totpUri(secret, { issuer: brand.name, email }) };
}

/**
 * Connects the app. All other sessions end, because they may have been opened without a second factor.
 * @returns the recovery codes, which are shown only once
 * @throws DomainError bad_request at the field `code` or `currentPassword`; conflict when the setup has expired, or there is an
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
 * Replaces the recovery codes with ten new ones.
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
    // Another tab has switched it off in the meantime.
    if (!(await hasSecondFactor(trx, owner.userId))) throw wrongField("code", msg("twoStep.codeWrong"));
    await notifyOfChange(trx, owner, "recovery-codes-renewed");
    return issueRecoveryCodes(trx, owner.userId);
  });
}

/**
 * Disconnects the app. With the last second factor, the recovery codes are deleted too.
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

/** Removes the second factor of a user who has lost both app and codes; staff verify the user first. Does nothing without one. */
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

/**
 * Checks a user who might not have a second factor yet: then the password, or the mailed code, is enough. @throws DomainError as
 * renewRecoveryCodes
 */
export async function reauthenticate(
  store: EncryptedStore,
  owner: FactorOwner,
  shown: Reauthentication,
  now: Date,
): Promise<void> {
  if (await hasSecondFactor(store.db, owner.userId)) await show(store, owner, shown, now);
  else await showHolder(store.db, owner.userId, shown.currentPassword, async () => {});
}

/** Checks the password first, because a wrong one then uses up no code. */
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

/** Deletes the recovery codes once the last second factor is removed. */
export async function deleteOrphanRecoveryCodes(trx: Trx, userId: UserId): Promise<void> {
  if (!(await hasSecondFactor(trx, userId))) await rows.replaceRecoveryCodes(trx, userId, []);
}

/** Replaces the user's recovery codes with ten new ones. */
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
