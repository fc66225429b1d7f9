/**
 * What needs a person: every source of it, what it is called at the desk, where it is looked at, and which act ends it. The lists
 * themselves are in db/waiting.ts, and a kind that is added there has to be named here.
 */
import type { StaffId } from "#db/ids.ts";
import { cursorText, parseTextCursor } from "#db/keyset.ts";
import { money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import {
  countWaiting,
  isWaiting,
  listWaitingItems,
  releaseItem,
  takeItem,
  type WaitingItem,
  type WaitingKind,
  waitingKinds,
} from "#db/waiting.ts";
import { record } from "#server/accounts/audit.ts";
import { currencies } from "#server/countries/country.ts";
import { DomainError } from "#server/errors.ts";
import { english } from "#server/languages/text.ts";
import { orderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { formatMoney } from "#server/pricing/format.ts";
import type { ActId } from "./acts/ids.ts";
import type { DeskSession } from "./sessions.ts";
import { mailKindWords, wordOf } from "./words.ts";

interface KindAct {
  id: ActId;
  label: string;
  /** What it is about, as in an address; left out for the item itself. */
  of?: (item: { kind: WaitingKind; key: string }) => string;
}

interface Kind {
  /** What the list calls one of them. */
  label: string;
  /** What becomes of it, in a sentence. */
  toDo: string;
  /** The acts on the item itself. */
  acts: readonly KindAct[];
  /** The acts on its order that may end it. */
  orderActs: readonly ActId[];
  /** What ends it without an act, in a sentence; null where only an act does. */
  endsItself: string | null;
}

const putAway: KindAct = { id: "item.done", label: "Put away" };
const ofKey = ({ key }: { key: string }) => key;

/** A kind without any way to its end is refused by tests/unit/desk/ways-out.test.ts. */
export const kinds: Readonly<Record<WaitingKind, Kind>> = {
  "stopped-order": {
    label: "Order stopped",
    toDo: "Put right what stopped it, then try again, or mark it as done, or refund it.",
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
    label: "Given back half-way",
    toDo: "Its money went back. See what the vendor holds of it, cancel that there, then close it.",
    acts: [],
    orderActs: ["order.close"],
    endsItself: null,
  },
  cancellation: {
    label: "Cancellation stuck",
    toDo: "It goes on by itself. Ask the vendor why it is not done, then refuse or finish it.",
    acts: [
      { id: "cancellation.refuse", label: "Refuse", of: ofKey },
      { id: "cancellation.finish", label: "Finish", of: ofKey },
    ],
    orderActs: [],
    endsItself: "The vendor makes the change, or shows it.",
  },
  payment: {
    label: "Payment not used",
    toDo: "Refund it: no order uses this money.",
    acts: [],
    orderActs: ["order.refund"],
    endsItself: null,
  },
  refund: {
    label: "Refund failed",
    toDo: "Refund again, or by bank transfer, then put this away.",
    acts: [putAway],
    orderActs: ["order.refund"],
    endsItself: null,
  },
  dispute: {
    label: "Dispute",
    toDo: "Answer it in the payment provider's dashboard by the date.",
    acts: [],
    orderActs: [],
    endsItself: "The bank decides, and the payment provider reports it.",
  },
  document: {
    label: "E-invoice refused",
    toDo: "Put right what the portal refused, then register it again.",
    acts: [],
    orderActs: ["document.retry"],
    endsItself: null,
  },
  "vendor-pause": {
    label: "Vendor paused",
    toDo: "Renew the consent or the credit with the vendor. Orders go on by themselves.",
    acts: [{ id: "vendor.probe", label: "Look again now", of: ofKey }],
    orderActs: [],
    endsItself: "The vendor takes an order again.",
  },
  "password-mail": {
    label: "Password mail not sent",
    toDo: "Find out by telephone whether the address is right, and lift its suppression; else put this away.",
    acts: [{ id: "mail-suppression.lift", label: "Lift the suppression", of: ofKey }, putAway],
    orderActs: [],
    endsItself: null,
  },
  mail: {
    label: "Mail refused",
    toDo: "Find out the right address, resend it, then put this away.",
    acts: [{ id: "mail.resend", label: "Resend", of: ofKey }, putAway],
    orderActs: ["order.contact", "order.resend-mail"],
    endsItself: null,
  },
  difference: {
    label: "Books differ",
    toDo: "Find out which side is right. Acknowledge it only if it is right as it is.",
    acts: [{ id: "difference.acknowledge", label: "Acknowledge", of: ofKey }],
    orderActs: [],
    endsItself: "Both sides say the same.",
  },
};

/** An item as the desk shows it. */
export interface Waiting {
  kind: WaitingKind;
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

export interface WaitingPage {
  items: Waiting[];
  /** How many wait of each kind, in the order of the kinds. */
  counts: { kind: WaitingKind; label: string; count: number }[];
  /** The next page's `after`; null on the last. */
  next: string | null;
}

const pageSize = 30;

export function isWaitingKind(text: string): text is WaitingKind {
  return waitingKinds.some((kind) => kind === text);
}

/**
 * The longest waiting first.
 * @param asked.after the `next` of the page before
 * @param asked.limit rows of a page
 * @throws DomainError bad_request for another text
 */
export async function readQueue(
  db: Db,
  session: Pick<DeskSession, "staff">,
  { after, kind, limit = pageSize }: { after: string | null; kind: WaitingKind | null; limit?: number },
): Promise<WaitingPage> {
  const cursor = after === null ? null : parseTextCursor(after);
  if (after !== null && cursor === null)
    throw new DomainError("bad_request", "There is no such page of the list.");
  const [{ rows, next }, counted] = await Promise.all([
    listWaitingItems(db, { after: cursor, kind, limit }),
    countWaiting(db),
  ]);
  return {
    counts: waitingKinds.map((each) => ({
      kind: each,
      label: kinds[each].label,
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
export async function take(
  db: Db,
  { staff }: Pick<DeskSession, "staff">,
  item: { kind: WaitingKind; key: string },
  now = new Date(),
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if ((await isWaiting(trx, item)) === null) throw notWaiting();
    if (!(await takeItem(trx, item, staff.id, now)))
      throw new DomainError("conflict", "Somebody else has just taken it.");
    await recordOf(trx, "item.take", staff.id, item);
  });
}

/** An admin may release what anybody has. @throws DomainError conflict for an item of somebody else */
export async function release(
  db: Db,
  { staff }: Pick<DeskSession, "staff">,
  item: { kind: WaitingKind; key: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (!(await releaseItem(trx, item, staff.role === "admin" ? null : staff.id)))
      throw new DomainError("conflict", "It is not yours to release.");
    await recordOf(trx, "item.release", staff.id, item);
  });
}

export function notWaiting(): DomainError {
  return new DomainError("not_found", "This no longer waits for anybody.");
}

/** An item as one text, for an address. */
export const itemName = ({ kind, key }: { kind: WaitingKind; key: string }): string => `${kind} ${key}`;

/** @returns null for a text that names no kind */
export function readItemName(text: string): { kind: WaitingKind; key: string } | null {
  const [kind = "", ...rest] = text.split(" ");
  return isWaitingKind(kind) ? { kind, key: rest.join(" ") } : null;
}

function recordOf(
  trx: Db,
  action: string,
  staffId: StaffId,
  item: { kind: WaitingKind; key: string },
): Promise<void> {
  return record(trx, { userId: null, staffId, action, subject: `item:${item.kind}:${item.key}` });
}

function viewOf(item: WaitingItem, you: StaffId): Waiting {
  const { kind, key, since, due, company, taken, what } = item;
  const { label, toDo, acts } = kinds[kind];
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
      path: paths.deskAct(id, of({ kind, key })),
    })),
    taken: taken === null ? null : { by: taken.by, isYou: taken.id === you },
  };
}

/** A refused mail begins with its kind. @param what "order-confirmation to ann@acme.com: 550 no such user" */
function mailInWords(what: string): string {
  const [name = "", ...rest] = what.split(" ");
  const kind = wordOf(mailKindWords, name);
  return kind === undefined ? what : [mailKindWords[kind], ...rest].join(" ");
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
