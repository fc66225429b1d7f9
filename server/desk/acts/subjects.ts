/** What acts of staff are about. */
import { type OrderId, parseId, parsePriceListId, type StaffId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import type { ListedPriceList } from "#db/price-lists.ts";
import { listMoneyDifferences, type StoredDifference } from "#db/reconciliation.ts";
import { findStaff, type Staff } from "#db/staff.ts";
import { isWaiting, type WaitingKind } from "#db/waiting.ts";
import { notFound } from "#server/errors.ts";
import { english } from "#server/languages/text.ts";
import { findOrder } from "#server/orders/find.ts";
import { orderNumber } from "#server/orders/number.ts";
import * as paths from "#server/paths.ts";
import { getListedPriceList } from "#server/price-lists/lists.ts";
import { headingOf } from "#server/price-lists/view.ts";
import { noStaff } from "../accounts.ts";
import { kinds, notWaiting, readItemName } from "../waiting.ts";
import type { Subject } from "./act.ts";

export const orderSubject: Subject<Order> = {
  name: "order",
  async find({ db }, text) {
    const id = parseId<OrderId>(text);
    const order = id === null ? null : await findOrder(db, id);
    if (order === null) throw notFound("order");
    return order;
  },
  title: (order) => [orderNumber(order), order.account?.companyName].filter(Boolean).join(", "),
  path: ({ id }) => paths.deskOrder(id),
};

export const staffSubject: Subject<Staff> = {
  name: "staff",
  async find({ db }, text) {
    const id = parseId<StaffId>(text);
    const staff = id === null ? null : await findStaff(db, id);
    if (staff === null) throw noStaff();
    return staff;
  },
  title: ({ email }) => email,
  path: () => paths.deskStaff(),
};

export const priceListSubject: Subject<ListedPriceList> = {
  name: "price list",
  async find({ db }, text) {
    const id = parsePriceListId(text);
    if (id === null) throw notFound();
    return getListedPriceList(db, id);
  },
  title: (list) => `Price list ${list.id}: ${headingOf(list)}`,
  path: ({ id }) => paths.deskPriceList(id),
};

/** For acts that make something new. */
export const everyStaff = "all";
export const staffListSubject: Subject<null> = {
  name: "staff list",
  async find(_context, text) {
    if (text !== everyStaff) throw noStaff();
    return null;
  },
  title: () => "Staff",
  path: () => paths.deskStaff(),
};

export const differenceSubject: Subject<StoredDifference> = {
  name: "difference",
  async find({ db }, text) {
    const difference = (await listMoneyDifferences(db)).find(({ key }) => key === text);
    if (difference === undefined) throw notWaiting();
    return difference;
  },
  title: ({ what }) => what,
  path: () => paths.desk(),
};

interface Item {
  kind: WaitingKind;
  key: string;
  what: string;
  lasts: boolean;
}

export const itemSubject: Subject<Item> = {
  name: "item",
  async find({ db }, text) {
    const item = readItemName(text);
    const waiting = item === null ? null : await isWaiting(db, item);
    if (item === null || waiting === null) throw notWaiting();
    return { ...item, what: english(waiting.what ?? ""), lasts: waiting.lasts };
  },
  title: ({ kind, what }) => `${kinds[kind].label}: ${what}`,
  path: () => paths.desk(),
};
