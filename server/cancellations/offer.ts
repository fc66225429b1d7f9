/**
 * What of a subscription may be given back now, until when, and what comes back for it. Our terms say how long, the vendor's own dates
 * decide where they are shorter, and the money is the unused part of each paid order (docs/decisions/cancellations.md).
 */
import {
  findOpenCancellation,
  isBaseOrdered,
  listPaidOrders,
  listPaidOrdersOf,
  mostAddOnSeats,
} from "#db/cancellations.ts";
import type { SubscriptionId } from "#db/ids.ts";
import { isOrdered, type Subscription, type SubscriptionListed } from "#db/subscriptions.ts";
import type { CancellationKind } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { families } from "#server/families/family.ts";
import type { Returnable } from "#server/families/returns.ts";
import { type Told, told } from "#server/languages/text.ts";
import { dateWords } from "#server/subscriptions/dates.ts";
import { hasEnded } from "#server/subscriptions/days.ts";
import { allOf, type Batch, batchOf, type GivenBack, openBatches, someOf } from "./given-back.ts";

/** One way to give back: until when and for what, or why it is not open. */
export type Open<More> = ({ until: Date } & More) | { closed: Told };

export interface Offer {
  cancel: Open<GivenBack>;
  /** @property most how many licences may be taken off at once, from 1 */
  reduce: Open<{ most: number }>;
}

const hourMs = 3_600_000;

/**
 * @param returnable what the vendor says
 * @throws RangeError for a subscription whose family has no such vendor, which is a bug
 */
export async function offerOf(
  db: Db,
  subscription: Subscription,
  returnable: Returnable,
  now: Date,
): Promise<Offer> {
  const why = await whyNothing(db, subscription, now);
  if (why !== null) return { cancel: { closed: why }, reduce: { closed: why } };
  const batches = (await listPaidOrders(db, subscription.id)).map((order) => batchOf(order, now));
  const addOnSeats = await mostAddOnSeats(db, subscription.id);
  const isBase = addOnSeats > 0 || (await isBaseOrdered(db, subscription.id));
  return {
    cancel: cancelOf(subscription, { batches, returnable, isBase, now }),
    reduce: reduceOf(subscription, { batches, returnable, addOnSeats, now }),
  };
}

/**
 * What comes back when a subscription is cancelled, or so many of its licences are given back.
 * @returns null when there are not so many that were paid for here
 */
export async function givenBack(
  db: Db,
  subscription: Subscription,
  asked: { kind: CancellationKind; seats: number },
  now: Date,
): Promise<GivenBack | null> {
  const batches = (await listPaidOrders(db, subscription.id)).map((order) => batchOf(order, now));
  return asked.kind === "cancel"
    ? allOf(subscription, batches)
    : someOf(subscription, batches, asked.seats, now);
}

/** Whatever the vendor says, in words for the buyer; null when nothing here stands against it. */
export async function whyNothing(db: Db, subscription: Subscription, now: Date): Promise<Told | null> {
  const { id, family: familyId, status, isSuspended, extendedUntil } = subscription;
  const family = families[familyId].label;
  if (status === "cancelled") return told("cancellation.alreadyCancelled");
  if (status === "transferred") return told("subscriptions.moved", { family });
  if (hasEnded(subscription, now) || extendedUntil !== null) return told("cancellation.ended");
  if (isSuspended) return told("subscriptions.suspended", { family });
  if ((await findOpenCancellation(db, id)) !== null) return told("cancellation.underWay");
  if (subscription.isBeingChanged || (await isOrdered(db, id))) return told("cancellation.orderUnderWay");
  return null;
}

/** Of those subscriptions whose running term was renewed here: until when licences can be given back by our terms. A vendor that is asked may say less. */
export async function reducibleUntilOf(
  db: Db,
  subscriptions: readonly SubscriptionListed[],
  now: Date,
): Promise<ReadonlyMap<SubscriptionId, Date>> {
  const found = new Map<SubscriptionId, Date>();
  const reducible = subscriptions.filter((subscription) => mayBeReduced(subscription, now));
  const ids = reducible.map(({ id }) => id);
  const renewals = await listPaidOrdersOf(db, ids, ({ renewal }) => renewal !== undefined);
  for (const subscription of reducible) {
    const batches = (renewals.get(subscription.id) ?? []).map((order) => batchOf(order, now));
    const until = latest(openBatches(subscription, batches, now).map((batch) => batch.until));
    if (until !== null) found.set(subscription.id, until);
  }
  return found;
}

/** By its row alone, so that only few of a list are looked up. */
function mayBeReduced(subscription: SubscriptionListed, now: Date): boolean {
  const { family, start, next, quantity, isSuspended, extendedUntil } = subscription;
  const { reduce } = families[family].returns;
  if ("never" in reduce || next !== null || quantity === 1 || isSuspended || extendedUntil !== null)
    return false;
  // A vendor may date a term back to the beginning of its day.
  return start.getTime() + (reduce.hours + 24) * hourMs > now.getTime() && !hasEnded(subscription, now);
}

function cancelOf(
  subscription: Subscription,
  known: { batches: readonly Batch[]; returnable: Returnable; isBase: boolean; now: Date },
): Offer["cancel"] {
  const { batches, returnable, isBase, now } = known;
  const { cancel } = families[subscription.family].returns;
  if ("never" in cancel) return { closed: told(cancel.never) };
  const ours = new Date(subscription.start.getTime() + cancel.hours * hourMs);
  const until = earlier(returnable.cancelUntil ?? new Date(0), ours);
  if (until <= now) return { closed: overSince(subscription, until) };
  if (isBase) return { closed: told("cancellation.addOnsFirst") };
  const back = allOf(subscription, batches);
  return back === null ? { closed: told("cancellation.notPaidHere") } : { until, ...back };
}

function reduceOf(
  subscription: Subscription,
  known: { batches: readonly Batch[]; returnable: Returnable; addOnSeats: number; now: Date },
): Offer["reduce"] {
  const { batches, returnable, addOnSeats, now } = known;
  const { reduce } = families[subscription.family].returns;
  if ("never" in reduce) return { closed: told(reduce.never) };
  if (subscription.next !== null) return { closed: told("cancellation.nextTermPaid") };
  const ours = openBatches(subscription, batches, now);
  const theirs = returnable.batches.filter(({ seats, until }) => seats > 0 && until > now);
  const [mine, vendors] = [latest(ours.map(({ until }) => until)), latest(theirs.map(({ until }) => until))];
  if (mine === null || vendors === null) {
    const lastOurs = latest(batches.map(({ begins }) => new Date(begins.getTime() + reduce.hours * hourMs)));
    return { closed: overSince(subscription, earlier(lastOurs ?? now, vendors ?? now)) };
  }
  if (subscription.quantity === 1) return { closed: told("cancellation.oneLicence") };
  const most = Math.min(
    sum(ours.map(({ batch }) => batch.seatsLeft)),
    sum(theirs.map(({ seats }) => seats)),
    subscription.quantity - Math.max(1, addOnSeats),
  );
  if (most < 1) return { closed: told("cancellation.addOnsNeedThem") };
  return { until: earlier(mine, vendors), most };
}

function overSince({ country }: Pick<Subscription, "country">, until: Date): Told {
  return until.getTime() <= 0
    ? told("cancellation.vendorRefuses")
    : told("cancellation.over", { date: dateWords(until, country) });
}

const earlier = (a: Date, b: Date) => (a < b ? a : b);
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
function latest(dates: readonly Date[]): Date | null {
  return dates.reduce<Date | null>((last, date) => (last === null || date > last ? date : last), null);
}
