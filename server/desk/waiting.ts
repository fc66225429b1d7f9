/**
 * What needs a person: every source of it, what it is called at the desk, where it is looked at, and which act ends it. The lists
 * themselves are in db/waiting.ts, and a kind that is added there has to be named here.
 */
import type { StaffId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Db } from "#db/tables/index.ts";
import {
  countWaiting,
  isWaiting,
  listWaitingItems,
  releaseItem,
  takeItem,
  type WaitingCursor,
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
  /** The acts that end it, for what has no order whose acts would. */
  acts: readonly KindAct[];
}

const putAway: KindAct = { id: "item.done", label: "Put away" };

export const kinds: Readonly<Record<WaitingKind, Kind>> = {
  "stopped-order": {
    label: "Order stopped",
    toDo: "Put right what stopped it, then try again, or refund it.",
    acts: [],
  },
  cancellation: {
    label: "Cancellation stuck",
    toDo: "It goes on by itself. Ask the vendor why it is not done.",
    acts: [],
  },
  payment: { label: "Payment not used", toDo: "Refund it: no order uses this money.", acts: [] },
  refund: {
    label: "Refund failed",
    toDo: "Refund again, or by bank transfer, then put this away.",
    acts: [putAway],
  },
  dispute: {
    label: "Dispute",
    toDo: "Answer it in the payment provider's dashboard by the date.",
    acts: [],
  },
  document: {
    label: "E-invoice refused",
    toDo: "Put right what the portal refused, then register it again.",
    acts: [],
  },
  "vendor-pause": {
    label: "Vendor paused",
    toDo: "Renew the consent or the credit with the vendor. Orders go on by themselves.",
    acts: [],
  },
  "password-mail": {
    label: "Password mail not sent",
    toDo: "Find out by telephone whether the address is right, and lift its suppression; else put this away.",
    acts: [{ id: "mail-suppression.lift", label: "Lift the suppression", of: ({ key }) => key }, putAway],
  },
  mail: {
    label: "Mail refused",
    toDo: "Find out the right address, resend it, then put this away.",
    acts: [{ id: "mail.resend", label: "Resend", of: ({ key }) => key }, putAway],
  },
  difference: {
    label: "Books differ",
    toDo: "Find out which side is right. Acknowledge it only if it is right as it is.",
    acts: [{ id: "difference.acknowledge", label: "Acknowledge", of: ({ key }) => key }],
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
 * @throws DomainError bad_request for another text
 */
export async function readQueue(
  db: Db,
  session: Pick<DeskSession, "staff">,
  { after, kind }: { after: string | null; kind: WaitingKind | null },
): Promise<WaitingPage> {
  const cursor = after === null ? null : readCursor(after);
  const [{ rows, next }, counted] = await Promise.all([
    listWaitingItems(db, { after: cursor, kind, limit: pageSize }),
    countWaiting(db),
  ]);
  return {
    counts: waitingKinds.map((each) => ({
      kind: each,
      label: kinds[each].label,
      count: counted.get(each) ?? 0,
    })),
    items: rows.map((row) => viewOf(row, session.staff.id)),
    next: next === null ? null : Buffer.from(`${next.at}.${next.id}`).toString("base64url"),
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
    what: english(what ?? ""),
    since,
    due,
    amount: amountOf(item),
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

function readCursor(text: string): WaitingCursor {
  const [, at, id] =
    /^(\d{1,16})\.(.{1,400})$/s.exec(Buffer.from(text.slice(0, 800), "base64url").toString()) ?? [];
  if (at === undefined || id === undefined || !Number.isSafeInteger(Number(at)))
    throw new DomainError("bad_request", "There is no such page of the list.");
  return { at: Number(at), id };
}
