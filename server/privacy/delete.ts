/**
 * Account deletion: requested with the password, and the second factor if there is one; can be taken back for a week; then a job
 * runs it. Data that tax law requires is kept, and listed (docs/decisions/privacy.md#export-and-deletion).
 */

import { lockUser, type StoredUser, selectUser } from "#db/accounts/users.ts";
import type { UserId } from "#db/ids.ts";
import {
  type AccountDeletion,
  erasePerson,
  findDeletion,
  insertDeletion,
  type LeftCompany,
  listCompaniesLeft,
  listNamesInOrders,
  listUnfinished,
  markDeletionDone,
  removeDeletion,
} from "#db/privacy/account-deletions.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { requireVerifiedEmail } from "#server/accounts/email-verification.ts";
import { consumeToken, peekToken } from "#server/accounts/one-time-tokens.ts";
import { type FactorOwner, type Reauthentication, reauthenticate } from "#server/accounts/second-factor.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";
import type { EncryptedStore } from "#server/foundation/security/cipher.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { Context } from "#server/platform/context.ts";

const dayMs = 24 * 3_600_000;
/** Days within which a deletion can be taken back. */
export const graceDays = 7;

/** Largest number of unfinished orders that are named; the rest are counted. */
const maxNamed = 5;

/** Lists the reasons why an account cannot be deleted now, each with what to do about it; empty when it can. */
export async function whyNotDeleted(db: Db, userId: UserId, now: Date): Promise<MessageDescriptor[]> {
  const companies = await listCompaniesLeft(db, userId, now);
  const unfinished = await listUnfinished(db, userId, leftAlone(companies));
  const orders = unfinished.slice(0, maxNamed).map(orderNumber);
  const more = unfinished.length - orders.length;
  return [
    ...(orders.length === 0 ? [] : [msg("myData.unfinished", { orders, count: orders.length, more })]),
    ...companies.flatMap(({ name, others, otherOwners, running }) => {
      if (otherOwners > 0) return [];
      if (running > 0) return [msg("myData.lastOwnerRunning", { company: name, count: running })];
      return others > 0 ? [msg("myData.lastOwner", { company: name })] : [];
    }),
  ];
}

/** Lists the companies without another member, which are deleted with the account. */
const leftAlone = (companies: readonly LeftCompany[]) =>
  companies.filter(({ others }) => others === 0).map(({ customerId }) => customerId);

/** Returns the account's pending deletion; null when there is none. */
export async function findPendingDeletion(db: Db, userId: UserId): Promise<AccountDeletion | null> {
  const deletion = await findDeletion(db, userId);
  return deletion === null || deletion.doneAt !== null ? null : deletion;
}

/**
 * Requests the deletion and mails a link that takes it back.
 * @throws DomainError bad_request on the field `currentPassword` or `code`; forbidden without a proven mailbox; conflict while
 * something blocks it, and for an account without a password; rate_limited
 */
export async function requestDeletion(
  store: EncryptedStore,
  owner: FactorOwner,
  shown: Reauthentication,
  now: Date,
): Promise<void> {
  const { db } = store;
  const { userId } = owner;
  await requireVerifiedEmail(db, userId);
  if (!(await hasPasswordToConfirm(db, userId))) throw new DomainError("conflict", msg("account.noPassword"));
  await reauthenticate(store, owner, shown, now);
  const [why] = await whyNotDeleted(db, userId, now);
  if (why !== undefined) throw new DomainError("conflict", why);
  const dueAt = new Date(now.getTime() + graceDays * dayMs);
  await db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, userId);
    if (user === null) throw notFound("account");
    if (!(await insertDeletion(trx, { userId, askedAt: now, dueAt }))) return;
    await recordAudit(trx, { userId, action: "account.ask-deletion", subject: `user:${userId}` });
    await addJob(
      trx,
      "delete-account",
      { userId },
      { jobKey: `delete-account:${userId}`, delayMs: graceDays * dayMs },
    );
    await notifyOfDeletion(trx, user, "asked", now, { due: dueAt.toISOString() });
  });
}

function notifyOfDeletion(
  trx: Trx,
  { id }: Pick<StoredUser, "id">,
  state: "asked" | "stopped",
  at: Date,
  more: Record<string, string> = {},
): Promise<boolean> {
  return queueOwnMail(trx, {
    kind: "account-deletion",
    dedupeKey: `account-deletion:${id}:${state}:${at.getTime()}`,
    userId: id,
    data: { state, ...more },
  });
}

/** Takes a deletion back. @returns false when none is pending */
export async function cancelDeletion(trx: Trx, userId: UserId): Promise<boolean> {
  if (!(await removeDeletion(trx, userId))) return false;
  await recordAudit(trx, { userId, action: "account.keep", subject: `user:${userId}` });
  return true;
}

const purpose = "keep-account" as const;

/** Returns the deletion that a mailed link takes back. Reading it changes nothing. */
export async function findDeletionByLink(db: Db, token: string): Promise<AccountDeletion | null> {
  const holder = await peekToken(db, { purpose, token });
  return holder === null ? null : findPendingDeletion(db, holder.userId);
}

/** @throws DomainError not_found for a link that no longer works */
export async function cancelDeletionByLink(db: Db, token: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const holder = await consumeToken(trx, { purpose, token });
    if (holder === null || !(await cancelDeletion(trx, holder.userId))) throw notFound();
  });
}

/**
 * Runs the deletion job. Skips an account whose deletion was taken back or whose grace period is not over. A blocker that
 * appeared in the meantime stops the deletion, and we email the user.
 */
export async function deleteAccount({ db, log }: Pick<Context, "db" | "log">, userId: UserId): Promise<void> {
  const now = new Date();
  await db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, userId);
    const deletion = await findPendingDeletion(trx, userId);
    if (user === null || deletion === null || deletion.dueAt > now) return;
    if ((await whyNotDeleted(trx, userId, now)).length > 0) {
      await removeDeletion(trx, userId);
      await notifyOfDeletion(trx, user, "stopped", deletion.askedAt);
      return;
    }
    await erase(trx, user, now);
    log.info({ userId }, "an account was deleted");
  });
}

async function erase(
  trx: Trx,
  { id, email, firstName, lastName, phone }: StoredUser,
  now: Date,
): Promise<void> {
  const companies = await listCompaniesLeft(trx, id, now);
  const names = [email, phone, `${firstName} ${lastName}`, ...(await listNamesInOrders(trx, id))];
  await erasePerson(trx, {
    userId: id,
    email: email.toLowerCase(),
    customerIds: leftAlone(companies),
    names: [...new Set(names.map((name) => name.trim()))].filter((name) => name.length > 2),
  });
  await markDeletionDone(trx, id, now);
  await recordAudit(trx, { userId: id, action: "account.delete", subject: `user:${id}` });
}

/** Whether the account has a password to confirm with. */
export async function hasPasswordToConfirm(db: Db, userId: UserId): Promise<boolean> {
  return (await selectUser(db, userId))?.passwordHash != null;
}
