/** Queues mails: a row and a job in the caller's transaction, at most once for each dedupe key. */

import { selectUser } from "#db/accounts/users.ts";
import type { MailId, OrderId, UserId } from "#db/ids.ts";
import { insertMail, type Mail } from "#db/mail/mails.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { addJob, lowMailPriority } from "#server/foundation/outbox/jobs.ts";
import { consumeRateLimit } from "#server/foundation/security/rate-limit.ts";
import type { MailKindFor } from "./mail-audiences.ts";

interface RequestedMail {
  /** Requests with the same key create one mail. */
  dedupeKey: string;
  orderId?: OrderId | null;
  data?: Record<string, string>;
  /** Whether a person waits for this mail now, although cron jobs queue its kind. */
  isAwaited?: boolean;
}

/** Mail to an account, at the account's own address. Null for a deleted account, which gets none. */
export interface OwnMailRequest extends RequestedMail {
  kind: MailKindFor<"own">;
  userId: UserId | null;
}

/** Mail to an address that its kind determines (server/foundation/outbox/mail-audiences.ts). */
export interface MailRequest extends RequestedMail {
  kind: MailKindFor<"buyer" | "answered" | "agreed" | "visitor" | "operator">;
  /** An address, or "operator", which is resolved from the environment at sending time. */
  recipient: string;
  userId?: UserId | null;
}

/** Mail to an address that a user has typed. */
export interface ThirdPartyMailRequest extends RequestedMail {
  kind: MailKindFor<"thirdParty">;
  recipient: string;
}

/** The operator's address is a setting of the sending process and not stored with the mail. */
export const operatorRecipient = "operator";

/** Kinds that cron jobs queue, sometimes thousands at once. Mails that a person waits for go first. */
const reminders: ReadonlySet<MailKind> = new Set([
  "renewal-reminder",
  "renewal-window",
  "subscription-ended",
  "subscription-extended",
  "terms-reminder",
  "resume-order",
  "signin-reminder",
  "certificate-due",
]);

/** @returns false when a mail with this key already exists; nothing is queued then */
export function queueMail(trx: Trx, request: MailRequest): Promise<boolean> {
  return insert(trx, { userId: null, ...request });
}

/**
 * Queues a mail to an account. The address is read here, so that no caller can pass another.
 * @returns false when a mail with this key already exists, the account was deleted, or its mailbox is unproven and has reached
 * the daily limit
 */
export async function queueOwnMail(trx: Trx, request: OwnMailRequest): Promise<boolean> {
  const user = request.userId === null ? null : await selectUser(trx, request.userId);
  if (user === null) return false;
  const { email: recipient, emailVerifiedAt } = user;
  if (emailVerifiedAt === null && !proofs.has(request.kind) && !(await isWithinDay(trx, recipient)))
    return false;
  return insert(trx, { ...request, recipient });
}

/** Mails that let a user prove the mailbox; they are limited where they are requested. */
const proofs: ReadonlySet<MailKind> = new Set([
  "set-password",
  "reset-password",
  "confirm-email",
  "account-code",
]);

/** Daily limit of mails to an account that may have been opened in another person's name. */
const mostUnproven = 20;

/** Counts a mail to an unproven mailbox. Inside the transaction, because only mails that are queued count. */
async function isWithinDay(trx: Trx, recipient: string): Promise<boolean> {
  const limit = { name: "mail-to-unproven", limit: mostUnproven, windowSeconds: 24 * 3_600 };
  try {
    await consumeRateLimit(trx, { ...limit, key: recipient.toLowerCase() });
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === "rate_limited") return false;
    throw error;
  }
}

/** Queues a third-party mail; only for server/accounts/third-party-mail.ts, which limits it. */
export function insertThirdPartyMail(trx: Trx, request: ThirdPartyMailRequest): Promise<boolean> {
  return insert(trx, { ...request, userId: null });
}

async function insert(
  trx: Trx,
  request: RequestedMail & { kind: MailKind; recipient: string; userId: UserId | null },
): Promise<boolean> {
  const { kind, dedupeKey, recipient, userId, orderId = null, data = {}, isAwaited = false } = request;
  const id = await insertMail(trx, { kind, dedupeKey, recipient, userId, orderId, data });
  if (id === null) return false;
  const hurry = reminders.has(kind) && !isAwaited ? { priority: lowMailPriority } : {};
  await addJob(trx, "send-mail", { mailId: id }, { jobKey: `mail:${id}`, ...hurry });
  return true;
}

/** Requests a mail again, as a new one with its id as the key. It is sent with the priority of an awaited mail. */
export async function queueMailAgain(trx: Trx, mail: Mail, again: MailId): Promise<void> {
  const { kind, recipient, userId, orderId, data } = mail;
  await insertMail(trx, { id: again, kind, dedupeKey: `again:${again}`, recipient, userId, orderId, data });
  await addJob(trx, "send-mail", { mailId: again }, { jobKey: `mail:${again}` });
}

/** Alerts the operator to a problem of a vendor, not of single orders. @returns false when this alert exists already */
export async function queueOperatorVendorAlert(
  trx: Trx,
  notice: { dedupeKey: string; subject: string; what: string; toDo?: readonly string[] },
): Promise<boolean> {
  const { dedupeKey, subject, what, toDo = [] } = notice;
  return queueMail(trx, {
    kind: "vendor-notice",
    dedupeKey,
    recipient: operatorRecipient,
    data: { subject, what, toDo: toDo.join("\n") },
  });
}

/** Reports the outcome of an order to the operator, when no action is needed. */
export async function queueOperatorOrderInfo(
  trx: Trx,
  notice: { dedupeKey: string; orderId: OrderId; subject: string; what: string },
): Promise<void> {
  const { dedupeKey, orderId, subject, what } = notice;
  await queueMail(trx, {
    kind: "order-notice",
    dedupeKey,
    recipient: operatorRecipient,
    orderId,
    data: { subject, what },
  });
}

/** Alerts the operator that an order, or the store itself, needs a person. @param alert.toDo one sentence per step */
export async function queueOperatorAlert(
  trx: Trx,
  alert: { dedupeKey: string; orderId: OrderId | null; what: string; toDo?: readonly string[] },
): Promise<void> {
  await queueMail(trx, {
    kind: "operator-alert",
    dedupeKey: alert.dedupeKey,
    recipient: operatorRecipient,
    orderId: alert.orderId,
    data: { what: alert.what, ...(alert.toDo !== undefined && { toDo: alert.toDo.join("\n") }) },
  });
}
