/**
 * A year's licences: for each subscription the number of seats before and after, those bought, renewed and returned, and the
 * amount paid.
 */
import type { BooksOwner, TimeRange } from "#db/billing/books.ts";
import type { ItemId, OrderId, SubscriptionId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import {
  listOwnedSubscriptions,
  listSeatOrders,
  listSeatReductions,
  type OwnedSubscription,
  type SeatOrder,
  type SeatReduction,
} from "#db/orders/licence-events.ts";
import type { Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";

export interface LicenceSummary {
  /** Id of the subscription, or of a paid order that is not fulfilled yet. */
  id: SubscriptionId | OrderId;
  itemId: ItemId;
  itemName: string;
  /** Null for an order that is not fulfilled. */
  domain: string | null;
  /** Seats at the beginning of the period; 0 for a subscription that did not exist yet. */
  before: number;
  /** Seats bought, with the subscription or later. */
  bought: number;
  /** Seats renewed. */
  renewed: number;
  /** Seats returned within a term. */
  givenBack: number;
  /** Seats at the end of the period, or now; 0 for a subscription that has ended. */
  after: number;
  /** Invoiced in the period less credited in it, with tax. */
  paid: Money;
}

/** The sums of an item in one currency. */
export type ItemYear = Pick<LicenceSummary, "itemId" | "itemName" | "after" | "paid">;

interface Known {
  subscriptions: readonly OwnedSubscription[];
  orders: readonly SeatOrder[];
  givenBack: readonly SeatReduction[];
}

/** A change of a subscription's seats. */
interface SeatEvent {
  at: Date;
  /** Computes the seats after it. */
  seats: (before: number) => number;
}

/**
 * Computes the rows of a period from stored orders and cancellations. A subscription that was bought elsewhere has no orders
 * and is left out, and so are rows without seats and amounts.
 */
export function licenceYears({ subscriptions, orders, givenBack }: Known, span: TimeRange): LicenceSummary[] {
  const isIn = (at: Date) => at >= span.from && at < span.before;
  const rows = subscriptions.flatMap((subscription): LicenceSummary[] => {
    const { id, itemId, itemName, domain } = subscription;
    const its = orders.filter(({ subscriptionId }) => subscriptionId === id);
    const back = givenBack.filter(({ subscriptionId }) => subscriptionId === id);
    const paid = paidFor(its);
    if (paid === null) return [];
    const done = its.filter((order): order is Done => order.doneAt !== null);
    const inTime = done.filter(({ doneAt }) => isIn(doneAt));
    const sum = (of: readonly SeatOrder[]) => of.reduce((seats, { quantity }) => seats + quantity, 0);
    const seatsAt = seatsOver(subscription, done, back);
    return [
      {
        id,
        itemId,
        itemName,
        domain,
        before: seatsAt(span.from),
        bought: sum(inTime.filter(({ kind }) => kind !== "RENEW")),
        renewed: sum(inTime.filter(({ kind }) => kind === "RENEW")),
        givenBack: back
          .filter(({ at }) => isIn(at))
          .reduce((seats, { seatsBefore, seatsAfter }) => seats + seatsBefore - seatsAfter, 0),
        after: seatsAt(span.before),
        paid,
      },
    ];
  });
  const known = new Set(subscriptions.map(({ id }) => id));
  const open = orders
    .filter(({ subscriptionId }) => subscriptionId === null || !known.has(subscriptionId))
    .map((order): LicenceSummary => {
      const { orderId: id, itemId, itemName, invoicedMinor, creditedMinor, currency } = order;
      const paid = money(invoicedMinor - creditedMinor, currency);
      return {
        id,
        itemId,
        itemName,
        domain: null,
        before: 0,
        bought: 0,
        renewed: 0,
        givenBack: 0,
        after: 0,
        paid,
      };
    });
  return [...rows, ...open].filter(
    ({ before, bought, renewed, givenBack: back, after, paid }) =>
      before + bought + renewed + back + after > 0 || paid.minor !== 0,
  );
}

type Done = SeatOrder & { doneAt: Date };

/** Sums the paid amount; null without orders. A subscription is paid for in one currency. */
function paidFor(orders: readonly SeatOrder[]): Money | null {
  const [first] = orders;
  if (first === undefined) return null;
  const minor = orders.reduce(
    (sum, { invoicedMinor, creditedMinor }) => sum + invoicedMinor - creditedMinor,
    0,
  );
  return money(minor, first.currency);
}

/** Returns a function that computes a subscription's seats just before a moment. */
function seatsOver(
  { status, end }: OwnedSubscription,
  orders: readonly Done[],
  back: readonly SeatReduction[],
): (moment: Date) => number {
  const events: SeatEvent[] = [
    ...orders.map(({ kind, quantity, doneAt, renewsFrom }) => ({
      // A term that is renewed early continues unchanged until its end.
      at: renewsFrom !== null && renewsFrom > doneAt ? renewsFrom : doneAt,
      seats: kind === "RENEW" ? () => quantity : (before: number) => before + quantity,
    })),
    ...back.map(({ at, seatsAfter }) => ({ at, seats: () => seatsAfter })),
    ...(status === "active" ? [] : [{ at: end, seats: () => 0 }]),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  return (moment) => events.filter(({ at }) => at < moment).reduce((seats, event) => event.seats(seats), 0);
}

/** Sums the rows by item, sorted by its name. */
export function licencesByItem(years: readonly LicenceSummary[]): ItemYear[] {
  const sums = new Map<string, ItemYear>();
  for (const { itemId, itemName, after, paid } of years) {
    const key = `${itemName} ${itemId} ${paid.currency}`;
    const known = sums.get(key);
    const minor = (known?.paid.minor ?? 0) + paid.minor;
    sums.set(key, {
      itemId,
      itemName,
      after: (known?.after ?? 0) + after,
      paid: money(minor, paid.currency),
    });
  }
  return [...sums].sort(([one], [other]) => one.localeCompare(other)).map(([, item]) => item);
}

/** Sums the paid amounts by currency. */
export function totalPaid(years: readonly LicenceSummary[]): Money[] {
  const sums = new Map<Currency, number>();
  for (const { paid } of years) sums.set(paid.currency, (sums.get(paid.currency) ?? 0) + paid.minor);
  return [...sums].map(([currency, minor]) => money(minor, currency));
}

/** Reads the licences of a period. A buyer without a company has only orders, no subscriptions. */
export async function readLicenceYears(
  db: Db,
  owner: BooksOwner,
  span: TimeRange,
): Promise<LicenceSummary[]> {
  const orders = await listSeatOrders(db, owner, span);
  if (!("customerId" in owner)) return licenceYears({ subscriptions: [], orders, givenBack: [] }, span);
  const { customerId } = owner;
  return licenceYears(
    {
      subscriptions: await listOwnedSubscriptions(db, customerId),
      orders,
      givenBack: await listSeatReductions(db, customerId, span),
    },
    span,
  );
}
