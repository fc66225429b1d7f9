/**
 * What needs a person: every source of it, what it is called at the desk, where it is looked at, and which act ends it. The lists
 * themselves are in db/work-queue.ts, and a kind that is added there has to be named here.
 */
import type { StaffId } from "#db/ids.ts";
import { cursorText, parseTextCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import {
  claimWorkItem,
  countWorkItems,
  isWorkItemOpen,
  listWorkItems,
  releaseWorkItem,
  type WorkItem,
  type WorkItemKind,
  workItemKinds,
} from "#db/work-queue.ts";
import { recordAudit } from "#server/audit.ts";
import { currencies } from "#server/countries/country.ts";
import { DomainError } from "#server/errors.ts";
import { english } from "#server/languages/text.ts";
import { orderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { formatMoney } from "#server/pricing/format.ts";
import type { ActionId } from "./actions/action-ids.ts";
import { mailKindLabels, parseLabelKey } from "./labels.ts";
import type { StaffSession } from "./sessions.ts";

interface KindAct {
  id: ActionId;
  label: string;
  /** What it is about, as in an address; left out for the item itself. */
  of?: (item: { kind: WorkItemKind; key: string }) => string;
}

interface Kind {
  /** What the list calls one of them. */
  label: string;
  /** What becomes of it, in a sentence. */
  toDo: string;
  /** The acts on the item itself. */
  acts: readonly KindAct[];
  /** The acts on its order that may end it. */
  orderActs: readonly ActionId[];
  /** What ends it without an act, in a sentence; null where only an act does. */
  endsItself: string | null;
}

const putAway: KindAct = { id: "item.done", label: "Mark as resolved" };
const ofKey = ({ key }: { key: string }) => key;

/** A kind without any way to its end is refused by tests/unit/desk/work-item-actions.test.ts. */
export const workItemKindDetails: Readonly<Record<WorkItemKind, Kind>> = {
  "stopped-order": {
    label: "Order stopped",
    toDo: "Fix what stopped it and try again, mark it as done, or refund it.",
    acts: [],
    orderActs: [
      "order.retry",
      "order.address",
      "order.contact",
      "order.tenant-name",
      "order.username",
      "order.move",
      "order.mark-done",
      "order.refund",
    ],
    endsItself: null,
  },
  "given-back": {
    label: "Refunded part-way through",
    toDo: "The order was refunded. Check what the vendor has for it, cancel that there, then close it.",
    acts: [],
    orderActs: ["order.close"],
    endsItself: null,
  },
  cancellation: {
    label: "Cancellation stuck",
    toDo: "It keeps retrying. Ask the vendor why it isn't done, then reject or complete it.",
    acts: [
      { id: "cancellation.refuse", label: "Reject", of: ofKey },
      { id: "cancellation.finish", label: "Complete", of: ofKey },
    ],
    orderActs: [],
    endsItself: "The vendor makes the change or reports it.",
  },
  payment: {
    label: "Unused payment",
    toDo: "Refund it: no order uses this payment.",
    acts: [],
    orderActs: ["order.refund"],
    endsItself: null,
  },
  refund: {
    label: "Refund failed",
    toDo: "Retry the refund, or pay by bank transfer and mark this as resolved.",
    acts: [putAway],
    orderActs: ["order.refund"],
    endsItself: null,
  },
  dispute: {
    label: "Dispute",
    toDo: "Respond in the payment provider's dashboard by the due date.",
    acts: [],
    orderActs: [],
    endsItself: "The bank decides, and the payment provider reports it.",
  },
  event: {
    label: "Payment event not used",
    toDo: "Find the payment in the payment provider's dashboard. Correct the order if it is ours, then mark this as resolved.",
    acts: [putAway],
    orderActs: [],
    endsItself: "The payment is settled, and the event is used.",
  },
  document: {
    label: "E-invoice rejected",
    toDo: "Correct what the portal rejected. Register it again unchanged only if the portal was wrong.",
    acts: [{ id: "document.correct", label: "Correct and register", of: ofKey }],
    orderActs: ["document.retry"],
    endsItself: null,
  },
  "vendor-pause": {
    label: "Vendor paused",
    toDo: "Renew consent or credit with the vendor. Orders then continue automatically.",
    acts: [{ id: "vendor.probe", label: "Check again now", of: ofKey }],
    orderActs: [],
    endsItself: "The vendor accepts an order again.",
  },
  "password-mail": {
    label: "Password email not sent",
    toDo: "Call to check the address. If it's right, lift its suppression; if not, mark this as resolved.",
    acts: [{ id: "mail-suppression.lift", label: "Lift the suppression", of: ofKey }, putAway],
    orderActs: [],
    endsItself: null,
  },
  mail: {
    label: "Email rejected",
    toDo: "Get the correct address, resend the email, then mark this as resolved.",
    acts: [{ id: "mail.resend", label: "Resend", of: ofKey }, putAway],
    orderActs: ["order.contact", "order.resend-mail"],
    endsItself: null,
  },
  difference: {
    label: "Discrepancy",
    toDo: "Find out which side is right. Acknowledge it only if no correction is needed.",
    acts: [{ id: "difference.acknowledge", label: "Acknowledge", of: ofKey }],
    orderActs: [],
    endsItself: "Both sides agree.",
  },
};

/** An item as the desk shows it. */
export interface WorkItemView {
  kind: WorkItemKind;
  key: string;
  label: string;
  toDo: string;
  what: string;
  since: Date;
  due: Date | null;
  amount: string | null;
  /** The same in minor units, in a currency that the store may not know. */
  sum: { minor: number; currency: string } | null;
  order: { number: string; path: string } | null;
  company: string | null;
  acts: { label: string; path: string }[];
  taken: { by: string; isYou: boolean } | null;
}

export interface WorkQueuePage {
  items: WorkItemView[];
  /** How many wait of each kind, in the order of the kinds. */
  counts: { kind: WorkItemKind; label: string; count: number }[];
  /** The next page's `after`; null on the last. */
  next: string | null;
}

const pageSize = 30;

export function isWorkItemKind(text: string): text is WorkItemKind {
  return workItemKinds.some((kind) => kind === text);
}

/**
 * The longest waiting first.
 * @param asked.after the `next` of the page before
 * @param asked.limit rows of a page
 * @throws DomainError bad_request for another text
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

/**
 * Says that a member of staff looks after an item, so that nobody else does the same work.
 * @throws DomainError not_found for an item that does not wait; conflict for one that somebody else has
 */
export async function claimForStaff(
  db: Db,
  { staff }: Pick<StaffSession, "staff">,
  item: { kind: WorkItemKind; key: string },
  now = new Date(),
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await isWorkItemOpen(trx, item)) === null) throw notWaiting();
    if (!(await claimWorkItem(trx, item, staff.id, now)))
      throw new DomainError("conflict", "Someone else has just taken it.");
    await recordOf(trx, "item.take", staff.id, item);
  });
}

/** An admin may release what anybody has. @throws DomainError conflict for an item of somebody else */
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

/** An item as one text, for an address. */
export const itemName = ({ kind, key }: { kind: WorkItemKind; key: string }): string => `${kind} ${key}`;

/** @returns null for a text that names no kind */
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
  return {
    kind,
    key,
    label,
    toDo,
    what: kind === "mail" ? mailInWords(what ?? "") : english(what ?? ""),
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
    acts: acts.map(({ id, label: words, of = itemName }) => ({
      label: words,
      path: paths.deskActionForm(id, of({ kind, key })),
    })),
    taken: taken === null ? null : { by: taken.by, isYou: taken.id === you },
  };
}

/** A refused mail begins with its kind. @param what "order-confirmation to ann@acme.com: 550 no such user" */
function mailInWords(what: string): string {
  const [name = "", ...rest] = what.split(" ");
  const kind = parseLabelKey(mailKindLabels, name);
  return kind === undefined ? what : [mailKindLabels[kind], ...rest].join(" ");
}

/** Payments may be in a currency that the store does not know. */
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
