/** Asking for a mail to be sent: a row and a job in the caller's transaction, at most once for each dedupe key. */
import type { OrderId, UserId } from "#db/ids.ts";
import { insertMail } from "#db/mails.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob, unhurried } from "#server/outbox/jobs.ts";

export interface MailRequest {
  kind: MailKind;
  /** Two requests with the same key are one mail. */
  dedupeKey: string;
  /** An address, or "operator": read from the environment when it is sent. */
  recipient: string;
  userId?: UserId | null;
  orderId?: OrderId | null;
  data?: Record<string, string>;
}

/** The operator's address is a setting of the process that sends, not a fact of the order. */
export const operator = "operator";

/** Written by the clock, sometimes thousands at once: a mail that somebody waits for goes before them. */
const reminders: ReadonlySet<MailKind> = new Set([
  "renewal-reminder",
  "subscription-ended",
  "resume-order",
  "signin-reminder",
]);

/** @returns false when a mail with this key was asked for before: nothing is done */
export async function queueMail(trx: Trx, request: MailRequest): Promise<boolean> {
  const { kind, dedupeKey, recipient, userId = null, orderId = null, data = {} } = request;
  const id = await insertMail(trx, { kind, dedupeKey, recipient, userId, orderId, data });
  if (id === null) return false;
  const hurry = reminders.has(kind) ? { priority: unhurried } : {};
  await addJob(trx, "send-mail", { mailId: id }, { jobKey: `mail:${id}`, ...hurry });
  return true;
}

/** Tells the operator that an order needs a person. @param alert.toDo a sentence a step */
export async function queueOperatorAlert(
  trx: Trx,
  alert: { dedupeKey: string; orderId: OrderId; what: string; toDo?: readonly string[] },
): Promise<void> {
  await queueMail(trx, {
    kind: "operator-alert",
    dedupeKey: alert.dedupeKey,
    recipient: operator,
    orderId: alert.orderId,
    data: { what: alert.what, ...(alert.toDo !== undefined && { toDo: alert.toDo.join("\n") }) },
  });
}
