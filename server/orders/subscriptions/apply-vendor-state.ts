/** Computes the changes to a row from its vendor's seats, dates and state (docs/decisions/fulfilment.md#source-of-truth). */
import { isDeepStrictEqual } from "node:util";
import type { Subscription, SubscriptionChanges } from "#db/orders/subscriptions.ts";
import type { VendorSubscription } from "#server/catalogue/families/vendor-subscription.ts";
import { anchorDayOf, endOfTerm } from "./term.ts";

/** Period after its start in which a vendor might not show a new subscription yet. */
const unknownForMs = 24 * 3_600_000;

/** Fields of a row that the vendor decides. */
type Followed = Pick<
  Subscription,
  | "status"
  | "quantity"
  | "start"
  | "end"
  | "next"
  | "anchorDay"
  | "term"
  | "isSuspended"
  | "waitsForTerms"
  | "reducedFrom"
  | "extendedUntil"
  | "externalId"
  | "country"
>;

/** The fields that a reading may change. */
export type VendorChanges = Pick<
  SubscriptionChanges,
  | "status"
  | "quantity"
  | "start"
  | "end"
  | "next"
  | "isSuspended"
  | "waitsForTerms"
  | "reducedFrom"
  | "extendedUntil"
  | "externalId"
>;

const ended = { isSuspended: false, waitsForTerms: false, extendedUntil: null } as const;

/**
 * Returns the changes to a row from a reading; empty when the row agrees. A vendor that has not begun a new term yet changes no
 * date. A paid extension that nobody ordered is recorded once the paid term is over, under the id that it has by then.
 */
export function changesFromVendor(row: Followed, says: VendorSubscription, now: Date): VendorChanges {
  const { externalId, state, isExtended, term } = says;
  if (state === null) return {};
  const isOver = state === "expired" || state === "cancelled";
  if (isExtended) {
    if (row.end > now) return {};
    return differing(row, { externalId, extendedUntil: isOver ? null : (term?.end ?? null) });
  }
  if (isOver) return differing(row, { status: state, ...ended });
  if (term === null || term.end <= now) return differing(row, { extendedUntil: null });
  return differing(row, {
    status: "active",
    isSuspended: state === "suspended",
    waitsForTerms: says.waitsForTerms,
    extendedUntil: null,
    ...termOf(row, says, term.end, now),
  });
}

/** Returns the changes to a row whose subscription the vendor no longer knows. */
export function changesFromAbsence(row: Pick<Subscription, "status" | "start">, now: Date): VendorChanges {
  const isKnown = now.getTime() - row.start.getTime() > unknownForMs;
  return row.status === "active" && isKnown ? { status: "transferred", ...ended } : {};
}

/** Returns the dates and seats of the running term, and of the paid next one. */
function termOf(row: Followed, says: VendorSubscription, end: Date, now: Date): VendorChanges {
  const { next, term, country } = row;
  if (next === null) return { end, ...seatsOf(row, says) };
  const isOfNext = end.getTime() - next.start.getTime() > (row.end.getTime() - next.start.getTime()) / 2;
  if (!isOfNext) {
    const quantity = says.nextQuantity ?? next.quantity;
    const anchorDay = anchorDayOf({ start: row.start, end, anchorDay: row.anchorDay }, country);
    const nextEnd = endOfTerm(end, term, country, anchorDay);
    return { end: nextEnd, next: { start: end, quantity }, ...seatsOf(row, says) };
  }
  // The next term cannot have begun before its start, whatever end the vendor reports.
  if (next.start > now) return seatsOf(row, says);
  const bought = { quantity: next.quantity, reducedFrom: null };
  return { start: next.start, end, next: null, quantity: next.quantity, ...seatsOf(bought, says) };
}

/** Records a reduced number of seats until the subscription has as many again. */
function seatsOf(
  { quantity: before, reducedFrom }: Pick<Followed, "quantity" | "reducedFrom">,
  { quantity }: VendorSubscription,
): VendorChanges {
  if (quantity === null || quantity < 1) return {};
  const most = Math.max(before, reducedFrom ?? 0);
  return { quantity, reducedFrom: quantity < most ? most : null };
}

const followed = [
  "status",
  "quantity",
  "start",
  "end",
  "next",
  "isSuspended",
  "waitsForTerms",
  "reducedFrom",
  "extendedUntil",
  "externalId",
] as const;

function differing(row: Followed, wanted: VendorChanges): VendorChanges {
  const changes = { ...wanted };
  for (const name of followed) if (isDeepStrictEqual(changes[name], row[name])) delete changes[name];
  return changes;
}
