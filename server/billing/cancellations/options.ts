/**
 * The current options to cancel or reduce a subscription, their deadlines and refunds. Our terms set the deadlines, the
 * vendor's own dates
 * decide where they are shorter, and the money is the unused part of each paid order (docs/decisions/refunds.md#cancellations).
 */
import {
  findMaxAddOnSeats,
  isBaseOrdered,
  listPaidOrders,
  listPaidOrdersOf,
} from "#db/billing/cancellable-orders.ts";
import { findOpenCancellation } from "#db/billing/cancellations.ts";
import type { SubscriptionId } from "#db/ids.ts";
import type { ListedSubscription } from "#db/orders/subscriptions.ts";
import { hasOpenOrder, type Subscription } from "#db/orders/subscriptions.ts";
import type { CancellationKind } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { VendorReturnTerms } from "#server/catalogue/families/vendor-cancellations.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { localisedDate } from "#server/orders/subscriptions/dates.ts";
import { hasEnded } from "#server/orders/subscriptions/days.ts";
import {
  batchOf,
  type CancellationRefund,
  type PaidBatch,
  reducibleBatches,
  refundOfAll,
  refundOfSome,
} from "./refund-calculation.ts";

/** An option with its deadline, or the reason why it is closed. */
export type CancellationOption<More> = ({ until: Date } & More) | { closed: MessageDescriptor };

export interface CancellationOptions {
  cancel: CancellationOption<CancellationRefund>;
  /** @property most maximum number of licences to remove at once, from 1 */
  reduce: CancellationOption<{ most: number }>;
}

const hourMs = 3_600_000;

/**
 * Computes the options of a subscription.
 * @param returnable the vendor's terms for returns
 * @throws RangeError for a subscription whose family has no such vendor, which is a bug
 */
export async function cancellationOptionsOf(
  db: Db,
  subscription: Subscription,
  returnable: VendorReturnTerms,
  now: Date,
): Promise<CancellationOptions> {
  const why = await whyNotCancellable(db, subscription, now);
  if (why !== null) return { cancel: { closed: why }, reduce: { closed: why } };
  const batches = (await listPaidOrders(db, subscription.id)).map((order) =>
    batchOf(order, now, subscription.country),
  );
  const addOnSeats = await findMaxAddOnSeats(db, subscription.id);
  const isBase = addOnSeats > 0 || (await isBaseOrdered(db, subscription.id));
  return {
    cancel: cancelOf(subscription, { batches, returnable, isBase, now }),
    reduce: reduceOf(subscription, { batches, returnable, addOnSeats, now }),
  };
}

/**
 * Computes the refund of a cancellation, or of a reduction by this number of licences.
 * @returns null when fewer licences were paid for here
 */
export async function calculateCancellationRefund(
  db: Db,
  subscription: Subscription,
  input: { kind: CancellationKind; seats: number },
  now: Date,
): Promise<CancellationRefund | null> {
  const batches = (await listPaidOrders(db, subscription.id)).map((order) =>
    batchOf(order, now, subscription.country),
  );
  return input.kind === "cancel"
    ? refundOfAll(subscription, batches)
    : refundOfSome(subscription, batches, input.seats, now);
}

/**
 * Returns the reason, for the buyer, why the subscription cannot be cancelled or reduced, regardless of the vendor; null when
 * it can.
 */
export async function whyNotCancellable(
  db: Db,
  subscription: Subscription,
  now: Date,
): Promise<MessageDescriptor | null> {
  const { id, family: familyId, status, isSuspended, extendedUntil } = subscription;
  const family = families[familyId].label;
  if (status === "cancelled") return msg("cancellation.alreadyCancelled");
  if (status === "transferred") return msg("subscriptions.moved", { family });
  if (hasEnded(subscription, now) || extendedUntil !== null) return msg("cancellation.ended");
  if (isSuspended) return msg("subscriptions.suspended", { family });
  if ((await findOpenCancellation(db, id)) !== null) return msg("cancellation.underWay");
  if (subscription.isBeingChanged || (await hasOpenOrder(db, id))) return msg("cancellation.orderUnderWay");
  return null;
}

/**
 * Maps each subscription whose running term was renewed here to the deadline for reductions under our terms. The vendor's
 * deadline may be earlier.
 */
export async function listReductionDeadlines(
  db: Db,
  subscriptions: readonly ListedSubscription[],
  now: Date,
): Promise<ReadonlyMap<SubscriptionId, Date>> {
  const found = new Map<SubscriptionId, Date>();
  const reducible = subscriptions.filter((subscription) => mayBeReduced(subscription, now));
  const ids = reducible.map(({ id }) => id);
  const renewals = await listPaidOrdersOf(db, ids, ({ renewal }) => renewal !== undefined);
  for (const subscription of reducible) {
    const batches = (renewals.get(subscription.id) ?? []).map((order) =>
      batchOf(order, now, subscription.country),
    );
    const until = latest(reducibleBatches(subscription, batches, now).map((batch) => batch.until));
    if (until !== null) found.set(subscription.id, until);
  }
  return found;
}

/** Decides by the row only, so that few subscriptions of a list need further queries. */
function mayBeReduced(subscription: ListedSubscription, now: Date): boolean {
  const { family, start, next, quantity, isSuspended, extendedUntil } = subscription;
  const { reduce } = families[family].returns;
  if ("never" in reduce || next !== null || quantity === 1 || isSuspended || extendedUntil !== null)
    return false;
  // A vendor may date a term back to the start of its day.
  return start.getTime() + (reduce.hours + 24) * hourMs > now.getTime() && !hasEnded(subscription, now);
}

function cancelOf(
  subscription: Subscription,
  known: { batches: readonly PaidBatch[]; returnable: VendorReturnTerms; isBase: boolean; now: Date },
): CancellationOptions["cancel"] {
  const { batches, returnable, isBase, now } = known;
  const { cancel } = families[subscription.family].returns;
  if ("never" in cancel) return { closed: msg(cancel.never) };
  const ours = new Date(subscription.start.getTime() + cancel.hours * hourMs);
  const until = earlier(returnable.cancelUntil ?? new Date(0), ours);
  if (until <= now) return { closed: overSince(subscription, until) };
  if (isBase) return { closed: msg("cancellation.addOnsFirst") };
  const back = refundOfAll(subscription, batches);
  return back === null ? { closed: msg("cancellation.notPaidHere") } : { until, ...back };
}

function reduceOf(
  subscription: Subscription,
  known: { batches: readonly PaidBatch[]; returnable: VendorReturnTerms; addOnSeats: number; now: Date },
): CancellationOptions["reduce"] {
  const { batches, returnable, addOnSeats, now } = known;
  const { reduce } = families[subscription.family].returns;
  if ("never" in reduce) return { closed: msg(reduce.never) };
  if (subscription.next !== null) return { closed: msg("cancellation.nextTermPaid") };
  const ours = reducibleBatches(subscription, batches, now);
  const theirs = returnable.batches.filter(({ seats, until }) => seats > 0 && until > now);
  const [mine, vendors] = [latest(ours.map(({ until }) => until)), latest(theirs.map(({ until }) => until))];
  if (mine === null || vendors === null) {
    const lastOurs = latest(batches.map(({ begins }) => new Date(begins.getTime() + reduce.hours * hourMs)));
    return { closed: overSince(subscription, earlier(lastOurs ?? now, vendors ?? now)) };
  }
  if (subscription.quantity === 1) return { closed: msg("cancellation.oneLicence") };
  const most = Math.min(
    sum(ours.map(({ batch }) => batch.seatsLeft)),
    sum(theirs.map(({ seats }) => seats)),
    subscription.quantity - Math.max(1, addOnSeats),
  );
  if (most < 1) return { closed: msg("cancellation.addOnsNeedThem") };
  return { until: earlier(mine, vendors), most };
}

function overSince({ country }: Pick<Subscription, "country">, until: Date): MessageDescriptor {
  return until.getTime() <= 0
    ? msg("cancellation.vendorRefuses")
    : msg("cancellation.over", { date: localisedDate(until, country) });
}

const earlier = (a: Date, b: Date) => (a < b ? a : b);
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
function latest(dates: readonly Date[]): Date | null {
  return dates.reduce<Date | null>((last, date) => (last === null || date > last ? date : last), null);
}
