/** Queues mails: a row and a job in the caller's transaction, at most once for each dedupe key. */
import type { MailId, OrderId, UserId } from "#db/ids.ts";
import { insertMail, type Mail } from "#db/mails.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob, unhurried } from "#server/outbox/jobs.ts";

export interface MailRequest {
  kind: MailKind;
  /** Requests with the same key make one mail. */
  dedupeKey: string;
  /** An address, or "operator", which is resolved from the environment at sending time. */
  recipient: string;
  userId?: UserId | null;
  orderId?: OrderId | null;
  data?: Record<string, string>;
  /** Of a kind that a clock job queues, and yet one that somebody waits for now. */
  isAwaited?: boolean;
}

/** The operator's address is a setting of the sending process, not a fact of the order. */
export const operator = "operator";

/** Queued by clock jobs, sometimes thousands at once. Mails that somebody waits for go first. */
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
export async function queueMail(trx: Trx, request: MailRequest): Promise<boolean> {
  const { kind, dedupeKey, recipient, userId = null, orderId = null, data = {}, isAwaited = false } = request;
  const id = await insertMail(trx, { kind, dedupeKey, recipient, userId, orderId, data });
  if (id === null) return false;
  const hurry = reminders.has(kind) && !isAwaited ? { priority: unhurried } : {};
  await addJob(trx, "send-mail", { mailId: id }, { jobKey: `mail:${id}`, ...hurry });
  return true;
}

/** Asks for a mail again, as a new one with its own id for a key. It is sent as one that somebody waits for. */
export async function copyMail(trx: Trx, mail: Mail, again: MailId): Promise<void> {
  const { kind, recipient, userId, orderId, data } = mail;
  await insertMail(trx, { id: again, kind, dedupeKey: `again:${again}`, recipient, userId, orderId, data });
  await addJob(trx, "send-mail", { mailId: again }, { jobKey: `mail:${again}` });
}

/** Tells the operator of a vendor as a whole, whatever orders wait for it. @returns false when that was told before */
export async function queueVendorNotice(
  trx: Trx,
  notice: { dedupeKey: string; subject: string; what: string; toDo?: readonly string[] },
): Promise<boolean> {
  const { dedupeKey, subject, what, toDo = [] } = notice;
  return queueMail(trx, {
    kind: "vendor-notice",
    dedupeKey,
    recipient: operator,
    data: { subject, what, toDo: toDo.join("\n") },
  });
}

/** Tells the operator what has become of an order, where nobody has to do anything. */
export async function queueOrderNotice(
  trx: Trx,
  notice: { dedupeKey: string; orderId: OrderId; subject: string; what: string },
): Promise<void> {
  const { dedupeKey, orderId, subject, what } = notice;
  await queueMail(trx, {
    kind: "order-notice",
    dedupeKey,
    recipient: operator,
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
    recipient: operator,
    orderId: alert.orderId,
    data: { what: alert.what, ...(alert.toDo !== undefined && { toDo: alert.toDo.join("\n") }) },
  });
}
