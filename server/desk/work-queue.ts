/** The work queue: its items as Desk shows them, and their claims. */

import {
  claimWorkItem,
  countWaiting,
  countWorkItems,
  isWorkItemOpen,
  listWorkItems,
  releaseWorkItem,
  type WorkItem,
  type WorkItemKind,
  workItemKinds,
} from "#db/desk/work-queue.ts";
import type { OrderId, StaffId } from "#db/ids.ts";
import { cursorText, parseTextCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { english } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { mailKindLabels, parseLabelKey } from "./labels.ts";
import { type Reason, reasonFor } from "./reasons.ts";
import type { StaffSession } from "./sessions.ts";
import { itemName, workItemKindDetails } from "./work-item-kinds.ts";

/** A work item as Desk shows it. */
export interface WorkItemView {
  kind: WorkItemKind;
  key: string;
  label: string;
  toDo: string;
  what: string;
  /** The reason as a sentence, with a provider's own text separate from it. */
  reason: Reason;
  since: Date;
  due: Date | null;
  amount: string | null;
  /** Sum in minor units, in a currency that the store might not know. */
  sum: { minor: number; currency: string } | null;
  order: { number: string; path: string } | null;
  company: string | null;
  acts: { label: string; path: string }[];
  taken: { by: string; isYou: boolean } | null;
}

export interface WorkQueuePage {
  items: WorkItemView[];
  /** Number of waiting items of each kind, in the order of the kinds. */
  counts: { kind: WorkItemKind; label: string; count: number }[];
  /** The next page's `after`; null on the last. */
  next: string | null;
}

const pageSize = 30;

export function isWorkItemKind(text: string): text is WorkItemKind {
  return workItemKinds.some((kind) => kind === text);
}

/**
 * Returns a page, the longest waiting first.
 * @param asked.after the `next` of the page before
 * @param asked.limit rows of a page
 * @throws DomainError bad_request for any other text
 */
export async function readWorkQueue(
  db: Db,
  session: Pick<StaffSession, "staff">,
  { after, kind, limit = pageSize }: { after: string | null; kind: WorkItemKind | null; limit?: number },
): Promise<WorkQueuePage> {
  const cursor = after === null ? null : parseTextCursor(after);
  if (after !== null && cursor === null)
    throw new DomainError("bad_request", "That page of the list doesn't exist.");
  const [{ rows, next }, counted] = await Promise.all([
    listWorkItems(db, { after: cursor, kind, limit }),
    countWorkItems(db),
  ]);
  return {
    counts: workItemKinds.map((each) => ({
      kind: each,
      label: workItemKindDetails[each].label,
      count: counted.get(each) ?? 0,
    })),
    items: rows.map((row) => viewOf(row, session.staff.id)),
    next: next === null ? null : cursorText(next),
  };
}

/** Largest count shown next to a link; a larger one is "99+". */
const mostBesideLink = 99;

/** Formats the number of items that wait, for the link to the queue: "4", or "99+"; null for none. */
export async function waitingText(db: Db): Promise<string | null> {
  const count = await countWaiting(db, mostBesideLink + 1);
  return count === 0 ? null : count > mostBesideLink ? `${mostBesideLink}+` : String(count);
}

/** Lists an order's work items, the longest waiting first. */
export async function workItemsOfOrder(
  db: Db,
  { staff }: Pick<StaffSession, "staff">,
  orderId: OrderId,
): Promise<WorkItemView[]> {
  const { rows } = await listWorkItems(db, { after: null, kind: null, limit: pageSize, orderId });
  return rows.map((row) => viewOf(row, staff.id));
}

/**
 * Assigns an item to a member of staff, so that nobody else does the same work.
 * @returns the order that it is about; null without one
 * @throws DomainError not_found for an item that is not waiting; conflict for an item of another member of staff
 */
export async function claimForStaff(
  db: Db,
  { staff }: Pick<StaffSession, "staff">,
  item: { kind: WorkItemKind; key: string },
  now = new Date(),
): Promise<OrderId | null> {
  return db.transaction().execute(async (trx) => {
    const open = await isWorkItemOpen(trx, item);
    if (open === null) throw notWaiting();
    if (!(await claimWorkItem(trx, item, staff.id, now)))
      throw new DomainError("conflict", "Someone else has just taken it.");
    await recordOf(trx, "item.take", staff.id, item);
    return open.orderId;
  });
}

/** Releases an item. An admin may release anyone's. @throws DomainError conflict for an item of another member of staff */
export async function releaseForStaff(
  db: Db,
  { staff }: Pick<StaffSession, "staff">,
  item: { kind: WorkItemKind; key: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await releaseWorkItem(trx, item, staff.role === "admin" ? null : staff.id)))
      throw new DomainError("conflict", "It isn't assigned to you.");
    await recordOf(trx, "item.release", staff.id, item);
  });
}

export function notWaiting(): DomainError {
  return new DomainError("not_found", "This no longer needs attention.");
}

/** @returns null for a text that does not name a kind */
export function readItemName(text: string): { kind: WorkItemKind; key: string } | null {
  const [kind = "", ...rest] = text.split(" ");
  return isWorkItemKind(kind) ? { kind, key: rest.join(" ") } : null;
}

function recordOf(
  trx: Db,
  action: string,
  staffId: StaffId,
  item: { kind: WorkItemKind; key: string },
): Promise<void> {
  return recordAudit(trx, { userId: null, staffId, action, subject: `item:${item.kind}:${item.key}` });
}

function viewOf(item: WorkItem, you: StaffId): WorkItemView {
  const { kind, key, since, due, company, taken, what } = item;
  const { label, toDo, acts } = workItemKindDetails[kind];
  const text = kind === "mail" ? mailInWords(what ?? "") : english(what ?? "");
  return {
    kind,
    key,
    label,
    toDo,
    what: text,
    reason: reasonFor(kind, text),
    since,
    due,
    amount: amountOf(item),
    sum:
      item.amountMinor === null || item.currency === null
        ? null
        : { minor: item.amountMinor, currency: item.currency },
    order:
      item.order === null ? null : { number: orderNumber(item.order), path: paths.deskOrder(item.order.id) },
    company,
    acts: acts
      .filter(({ isFor }) => isFor === undefined || isFor(text))
      .map(({ id, label: words, of = itemName }) => ({
        label: words,
        path: paths.deskActionForm(id, of({ kind, key })),
      })),
    taken: taken === null ? null : { by: taken.by, isYou: taken.id === you },
  };
}

/**
 * Formats a refused mail's text, which begins with its kind. @param what "order-confirmation to ann@acme.com: 550 no such user"
 */
function mailInWords(what: string): string {
  const [name = "", ...rest] = what.split(" ");
  const kind = parseLabelKey(mailKindLabels, name);
  return kind === undefined ? what : [mailKindLabels[kind], ...rest].join(" ");
}

/** Formats a payment's amount, whose currency the store might not know. */
export function amountOf({
  amountMinor,
  currency,
}: {
  amountMinor: number | null;
  currency: string | null;
}): string | null {
  if (amountMinor === null || currency === null) return null;
  const known = currencies.find((each) => each === currency);
  return known === undefined
    ? `${currency} ${(amountMinor / 100).toFixed(2)}`
    : formatMoney(money(amountMinor, known));
}
