/** The mail log: requested mails and their results, sending one again, and suppressions. */

import { selectUser } from "#db/accounts/users.ts";
import { findOrderByNumber } from "#db/desk/attention.ts";
import { type MailId, newId, type OrderId, parseId } from "#db/ids.ts";
import {
  deleteSuppression,
  findSuppression,
  type LoggedMail,
  listMails,
  listSuppressions,
  lockMail,
  type MailState,
  type MailSuppression,
} from "#db/mail/mails.ts";
import type { Order } from "#db/orders/order.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type ListOrder, type ListPage, listPage, parsePageQuery } from "#server/foundation/list-paging.ts";
import { operatorRecipient, queueMailAgain, queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { lockOrder } from "#server/orders/find.ts";
import { orderNumber, readOrderNumber } from "#server/orders/number.ts";
import { isFullyReturned, isPaid } from "#server/orders/payment-state.ts";

/** Columns that the log can be sorted by. */
export const sortableMailColumns = ["requested"] as const;

export interface MailLogQuery {
  /** An address, in any case, or "operator". */
  recipient?: string | undefined;
  kind?: MailKind | undefined;
  state?: MailState | undefined;
  orderId?: OrderId | undefined;
  /** Order number as displayed, or id. */
  order?: string | undefined;
  /** Sorted by request time; newest first when left out. */
  sortedBy?: ListOrder<(typeof sortableMailColumns)[number]>;
  /** The `nextPage` of the previous page. */
  page?: string | undefined;
  /** 1 to 200 rows, 20 by default. */
  limit?: number | undefined;
}

/** A mail as staff see it. */
export interface MailView extends LoggedMail {
  order: { id: OrderId; number: string } | null;
}

/** Returns a page of the log. @throws DomainError bad_request for an invalid address or page */
export async function readMailLog(db: Db, query: MailLogQuery): Promise<ListPage<MailView>> {
  const { search, after, limit } = parsePageQuery({
    search: query.recipient,
    page: query.page,
    limit: query.limit,
  });
  const { kind = null, state = null, sortedBy } = query;
  const direction = sortedBy?.direction ?? "desc";
  const orderId = query.order === undefined ? (query.orderId ?? null) : await orderIn(db, query.order);
  if (orderId === undefined) return { rows: [], nextPage: null };
  const { rows, nextPage } = listPage(
    await listMails(db, { recipient: search, kind, state, orderId, after, limit, direction }),
  );
  return {
    nextPage,
    rows: rows.map(({ order, ...mail }) => ({
      ...mail,
      order: order === null ? null : { id: order.id, number: orderNumber(order) },
    })),
  };
}

/** @returns undefined for an unknown order */
async function orderIn(db: Db, text: string): Promise<OrderId | undefined> {
  const id = parseId<OrderId>(text);
  const number = id === null ? readOrderNumber(text) : null;
  return id ?? (number === null ? undefined : ((await findOrderByNumber(db, number)) ?? undefined));
}

/** Codes that have long expired, and alerts to staff, which Desk shows. */
const notResent: readonly MailKind[] = [
  "operator-alert",
  "order-notice",
  "vendor-notice",
  "outlook-code",
  "account-code",
];

export const noSuchMail = () => new DomainError("not_found", "Email not found.");
export const notSuppressed = () => new DomainError("not_found", "This address isn't suppressed.");
const stillWaits = "This email is already queued.";
const isSuppressed = "This address is suppressed. Lift its suppression first.";

/** Whether mails of this kind are ever sent again. */
export function isResent(kind: MailKind): boolean {
  return !notResent.includes(kind);
}

/** Returns why a mail cannot be sent again now, as a sentence; null when it can. */
export async function whyNotResent(
  db: Db,
  { kind, state, recipient }: Pick<LoggedMail, "kind" | "state" | "recipient">,
): Promise<string | null> {
  if (!isResent(kind)) return "This type of email can't be resent.";
  if (state === "waiting") return stillWaits;
  return (await findSuppression(db, recipient)) === null ? null : isSuppressed;
}

/**
 * Requests a mail again, to the same reader with the same data and new links. The first one stays unchanged.
 * @returns the new mail
 * @throws DomainError not_found; conflict while it is still waiting, or its address is suppressed
 */
export async function resendMail(
  db: Db,
  mailId: MailId,
  { by, reason, staffId }: AuditContext,
): Promise<MailId> {
  return db.transaction().execute(async (trx) => {
    const mail = await lockMail(trx, mailId);
    if (mail === null) throw noSuchMail();
    if (mail.state === "waiting") throw new DomainError("conflict", stillWaits);
    if (mail.recipient !== operatorRecipient && (await findSuppression(trx, mail.recipient)) !== null)
      throw new DomainError("conflict", isSuppressed);
    const again = newId<MailId>();
    await queueMailAgain(trx, mail, again);
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "mail.resent",
      subject: mail.orderId === null ? `mail:${mailId}` : `order:${mail.orderId}`,
      data: { by, reason, mail: mailId, again, kind: mail.kind },
    });
    return again;
  });
}

type WayBack = Extract<MailKind, "resume-order" | "signin-reminder">;

/** Returns the mail that leads a buyer back to an order that waits for them; a sentence when no mail does. */
export function resumeMailFor(order: Order): { kind: WayBack } | { none: string } {
  if (order.account === null) return { none: "The buyer hasn't entered their details yet." };
  if (order.fulfilmentStatus === "waiting_for_signin") return { kind: "signin-reminder" };
  if (isPaid(order) || isFullyReturned(order)) return { none: "The buyer has nothing left to do." };
  return { kind: "resume-order" };
}

/**
 * Mails the buyer a link to the step at which their order waits.
 * @throws DomainError conflict when it does not wait for the buyer, or their address is suppressed
 */
export async function sendResumeMail(
  db: Db,
  id: OrderId,
  { by, reason, staffId }: AuditContext,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, id);
    const way = resumeMailFor(order);
    if ("none" in way) throw new DomainError("conflict", way.none);
    const { userId } = order;
    const recipient = (userId === null ? null : await selectUser(trx, userId))?.email ?? "";
    if ((await findSuppression(trx, recipient)) !== null)
      throw new DomainError("conflict", "This address is suppressed. Lift its suppression first.");
    const { kind } = way;
    const data = { asked: "yes" };
    await queueOwnMail(trx, { kind, dedupeKey: `asked:${newId()}`, userId, orderId: id, data });
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "order.send-link",
      subject: `order:${id}`,
      data: { reason, by, kind, recipient },
    });
  });
}

/**
 * Returns a page of suppressed addresses, latest first.
 * @param asked.recipient only this address, in any case
 * @throws DomainError bad_request for an invalid address or page
 */
export async function readSuppressions(
  db: Db,
  query: Pick<MailLogQuery, "recipient" | "page" | "limit"> = {},
): Promise<ListPage<MailSuppression>> {
  const { search, after, limit } = parsePageQuery({
    search: query.recipient,
    page: query.page,
    limit: query.limit,
  });
  return listPage(await listSuppressions(db, { email: search, after, limit }));
}

/** Lifts a suppression. @throws DomainError not_found for an address that is not suppressed */
export async function liftSuppression(
  db: Db,
  email: string,
  { by, reason, staffId }: AuditContext,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const refused = await deleteSuppression(trx, email);
    if (refused === null) throw notSuppressed();
    await recordAudit(trx, {
      userId: null,
      staffId,
      action: "mail-suppression.lifted",
      // The log outlives a deleted address.
      subject: `mail:${refused}`,
      data: { by, reason },
    });
  });
}
