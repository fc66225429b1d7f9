/**
 * The second factor of buyers: an authenticator app, and ten recovery codes for whoever has lost it. Nobody has to have one
 * (docs/decisions/second-factor.md). Every change asks for the password and a code, ends with a mail to the owner, and is in
 * the audit log.
 */
import type { UserId } from "#db/ids.ts";
import * as rows from "#db/second-factors.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { lockUser } from "#db/users.ts";
import { brand } from "../brand.ts";
import { DomainError, wrongField } from "../errors.ts";
import { told } from "../languages/text.ts";
import { decrypt, type EncryptedStore, encrypt } from "../security/cipher.ts";
import { takeOneTimeCode } from "../security/one-time-codes.ts";
import { hashRecoveryCode, newRecoveryCodes } from "../security/recovery-codes.ts";
import { newTotpSecret, stepOfCode, totpAddress } from "../security/totp.ts";
import { type Ordered, record } from "./audit.ts";
import { checkCurrentPassword } from "./current-password.ts";
import { requireProvenMailbox } from "./mailbox-proof.ts";
import { type AccountNotice, notifyOwner } from "./notices.ts";
import { revokeAllSessions, revokeOtherSessions, type SessionUser } from "./sessions.ts";

/** The time a user has to connect the app. */
const setUpSeconds = 30 * 60;

/** A user, as the owner of a second factor. */
interface Owner {
  userId: UserId;
  email: string;
}

/** What every change asks for. */
interface Shown {
  code: string;
  currentPassword: string;
}

/** The context that binds the secret of an app to its user. */
const secretContext = (userId: UserId): string => `authenticator:${userId}`;

export async function hasSecondFactor(db: Db, userId: UserId): Promise<boolean> {
  return (await rows.selectApp(db, userId)) !== null;
}

export interface SecondFactor {
  addedAt: Date;
  recoveryCodesLeft: number;
}

/** `null` without one. */
export async function readSecondFactor(db: Db, userId: UserId): Promise<SecondFactor | null> {
  const app = await rows.selectApp(db, userId);
  if (app === null) return null;
  return { addedAt: app.addedAt, recoveryCodesLeft: await rows.countRecoveryCodes(db, userId) };
}

/**
 * Takes a code of the app, or a recovery code, whose use the owner is told of. Pass the database, not a transaction: failed
 * attempts must count.
 * @returns how many recovery codes are left, when it was one of them
 * @throws DomainError as takeOneTimeCode
 */
export async function takeSecondFactor(
  { db, encryptionKeys }: EncryptedStore,
  owner: Owner,
  typed: string,
  now = new Date(),
): Promise<{ recoveryCodesLeft: number | null }> {
  const { userId } = owner;
  const holder = {
    limit: { name: "second-factor", key: userId },
    refusal: told("twoStep.codeWrong"),
    async readSecret() {
      const app = await rows.selectApp(db, userId);
      return app === null ? null : decrypt(encryptionKeys, app.totpCiphertext, secretContext(userId));
    },
    takeStep: (step: number) => rows.takeAppStep(db, userId, step),
    takeRecoveryCode: (hash: string) =>
      db.transaction().execute(async (trx) => {
        if (!(await rows.spendRecoveryCode(trx, userId, hash, now))) return false;
        await tell(trx, owner, "recovery-code-used");
        return true;
      }),
  };
  const kind = await takeOneTimeCode(db, holder, typed, now);
  return { recoveryCodesLeft: kind === "app" ? null : await rows.countRecoveryCodes(db, userId) };
}

/**
 * Makes the secret that an app is to be connected with, in the place of an earlier one.
 * @throws DomainError forbidden while nobody has proven the account's mailbox; conflict when there is a second factor
 */
export async function beginSetUp(
  { db, encryptionKeys }: EncryptedStore,
  userId: UserId,
  now = new Date(),
): Promise<void> {
  await requireProvenMailbox(db, userId);
  if (await hasSecondFactor(db, userId)) throw hasOneAlready();
  await rows.saveSetUp(db, {
    userId,
    totpCiphertext: encrypt(encryptionKeys, newTotpSecret(), secretContext(userId)),
    expiresAt: new Date(now.getTime() + setUpSeconds * 1_000),
  });
}

export interface SetUp {
  /** In base32, for an app that reads no QR code. */
  secret: string;
  /** What the QR code says. */
  address: string;
}

/** What was begun. `null` when nothing was, or it is over. */
export async function readSetUp(
  store: EncryptedStore,
  { userId, email }: Owner,
  now = new Date(),
): Promise<SetUp | null> {
  const secret = await readSecret(store, userId, now);
  return secret === null ? null : { secret, address: totpAddress(secret, { issuer: brand.name, email }) };
}

/**
 * Switches the second factor on. Every other session ends, because it was opened without one.
 * @returns the recovery codes, which can be read here and never again
 * @throws DomainError bad_request at the field `code` or `currentPassword`; conflict when what was begun is over, or there is a
 * second factor already; rate_limited
 */
export async function confirmSetUp(
  store: EncryptedStore,
  owner: Owner & Pick<SessionUser, "sessionId">,
  { code, currentPassword }: Shown,
  now = new Date(),
): Promise<string[]> {
  const { db, encryptionKeys } = store;
  const { userId } = owner;
  await checkCurrentPassword(db, userId, currentPassword);
  const secret = await readSecret(store, userId, now);
  if (secret === null) throw new DomainError("conflict", told("twoStep.setUpOver"));
  const step = stepOfCode(secret, code.replaceAll(/\s/g, ""), now);
  if (step === null) throw wrongField("code", told("twoStep.setUpCodeWrong"));
  return db.transaction().execute(async (trx) => {
    await lockUser(trx, userId);
    const isNew = await rows.insertApp(trx, {
      userId,
      totpCiphertext: encrypt(encryptionKeys, secret, secretContext(userId)),
      totpStep: step,
      addedAt: now,
    });
    if (!isNew) throw hasOneAlready();
    await rows.deleteSetUp(trx, userId);
    await revokeOtherSessions(trx, owner);
    await tell(trx, owner, "second-factor-on");
    return makeRecoveryCodes(trx, userId);
  });
}

/**
 * Ten new recovery codes, in the place of the old.
 * @throws DomainError as takeSecondFactor, checkCurrentPassword
 */
export async function renewRecoveryCodes(
  store: EncryptedStore,
  owner: Owner,
  shown: Shown,
  now = new Date(),
): Promise<string[]> {
  await show(store, owner, shown, now);
  return store.db.transaction().execute(async (trx) => {
    await lockUser(trx, owner.userId);
    // Switched off in another tab meanwhile.
    if (!(await hasSecondFactor(trx, owner.userId))) throw wrongField("code", told("twoStep.codeWrong"));
    await tell(trx, owner, "recovery-codes-renewed");
    return makeRecoveryCodes(trx, owner.userId);
  });
}

/** @throws DomainError as takeSecondFactor, checkCurrentPassword */
export async function switchOff(
  store: EncryptedStore,
  owner: Owner,
  shown: Shown,
  now = new Date(),
): Promise<void> {
  await show(store, owner, shown, now);
  await store.db.transaction().execute(async (trx) => {
    await lockUser(trx, owner.userId);
    if (await forget(trx, owner.userId)) await tell(trx, owner, "second-factor-off");
  });
}

/**
 * For somebody who has lost both app and codes: staff remove it once they know who asks. Does nothing without one.
 */
export async function removeSecondFactor(
  trx: Trx,
  owner: Owner,
  { staffId, by, reason }: Ordered,
): Promise<void> {
  await lockUser(trx, owner.userId);
  if (!(await forget(trx, owner.userId))) return;
  await revokeAllSessions(trx, owner.userId);
  await record(trx, {
    userId: null,
    staffId,
    action: "second-factor.remove",
    subject: `user:${owner.userId}`,
    data: { by, reason },
  });
  await notifyOwner(trx, owner, { what: "second-factor-removed" });
}

/** The password first, because it takes no code away. */
async function show(store: EncryptedStore, owner: Owner, shown: Shown, now: Date): Promise<void> {
  await checkCurrentPassword(store.db, owner.userId, shown.currentPassword);
  await takeSecondFactor(store, owner, shown.code, now);
}

/** @returns false when there was none */
async function forget(trx: Trx, userId: UserId): Promise<boolean> {
  await rows.replaceRecoveryCodes(trx, userId, []);
  await rows.deleteSetUp(trx, userId);
  return rows.deleteApp(trx, userId);
}

async function makeRecoveryCodes(trx: Trx, userId: UserId): Promise<string[]> {
  const codes = newRecoveryCodes();
  await rows.replaceRecoveryCodes(trx, userId, codes.map(hashRecoveryCode));
  return codes;
}

async function readSecret(
  { db, encryptionKeys }: EncryptedStore,
  userId: UserId,
  now: Date,
): Promise<string | null> {
  const ciphertext = await rows.selectSetUp(db, userId, now);
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

async function tell(trx: Trx, owner: Owner, what: Change): Promise<void> {
  const { userId } = owner;
  await record(trx, { userId, action: actions[what], subject: `user:${userId}` });
  await notifyOwner(trx, owner, { what });
}

function hasOneAlready(): DomainError {
  return new DomainError("conflict", told("twoStep.hasOneAlready"));
}
