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
  /** Requests with the same key make one mail. */
  dedupeKey: string;
  orderId?: OrderId | null;
  data?: Record<string, string>;
  /** Whether somebody waits for this mail now, although cron jobs queue its kind. */
  isAwaited?: boolean;
}

/** A mail to an account, at the account's own address. Null for an account that was deleted, which gets none. */
export interface OwnMailRequest extends RequestedMail {
  kind: MailKindFor<"own">;
  userId: UserId | null;
}

/** A mail to an address that its kind makes known (server/foundation/outbox/mail-audiences.ts). */
export interface MailRequest extends RequestedMail {
  kind: MailKindFor<"buyer" | "answered" | "agreed" | "visitor" | "operator">;
  /** An address, or "operator", which is resolved from the environment at sending time. */
  recipient: string;
  userId?: UserId | null;
}

/** A mail to an address that a user has typed. */
export interface ThirdPartyMailRequest extends RequestedMail {
  kind: MailKindFor<"thirdParty">;
  recipient: string;
}

/** The operator's address is a setting of the sending process, not a fact of the order. */
export const operatorRecipient = "operator";

/** Queued by cron jobs, sometimes thousands at once. Mails that somebody waits for go first. */
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
 * Queues a mail to an account. The address is read here, so that no caller can give another.
 * @returns false when a mail with this key already exists, the account is gone, or nobody has proven its mailbox and it got enough today
 */
export async function queueOwnMail(trx: Trx, request: OwnMailRequest): Promise<boolean> {
  const user = request.userId === null ? null : await selectUser(trx, request.userId);
  if (user === null) return false;
  const { email: recipient, emailVerifiedAt } = user;
  if (emailVerifiedAt === null && !proofs.has(request.kind) && !(await isWithinDay(trx, recipient)))
    return false;
  return insert(trx, { ...request, recipient });
}

/** The mails that let a person prove the mailbox, which are limited where they are asked for. */
const proofs: ReadonlySet<MailKind> = new Set([
  "set-password",
  "reset-password",
  "confirm-email",
  "account-code",
]);

/** The most mails a day to an account that may have been opened in another person's name. */
const mostUnproven = 20;

/** Counts a mail to a mailbox that nobody has proven. Inside the transaction, because only mails that are queued count. */
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

/** Only for server/accounts/third-party-mail.ts, which limits it. */
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

/** Asks for a mail again, as a new one with its own id for a key. It is sent as one that somebody waits for. */
export async function queueMailAgain(trx: Trx, mail: Mail, again: MailId): Promise<void> {
  const { kind, recipient, userId, orderId, data } = mail;
  await insertMail(trx, { id: again, kind, dedupeKey: `again:${again}`, recipient, userId, orderId, data });
  await addJob(trx, "send-mail", { mailId: again }, { jobKey: `mail:${again}` });
}

/** Alerts the operator about a vendor as a whole, not about single orders. @returns false when this alert exists already */
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

/** Reports the outcome of an order to the operator, where nobody has to do anything. */
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

/** Tells the operator that an order, or the store itself, needs a person. @param alert.toDo one sentence per step */
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
