/**
 * Computes the refund of a subscription's paid orders from amounts, licences and days, without calling the vendor
 * (docs/decisions/refunds.md#cancellations).
 */

import type { PaidOrder } from "#db/billing/cancellable-orders.ts";
import type { CancellationPart } from "#db/billing/cancellations.ts";
import { type Money, money } from "#db/money.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { add } from "#server/catalogue/pricing/money.ts";
import { allocateSeats, computeUnusedPart, type UnusedPaidOrder } from "#server/catalogue/pricing/refund.ts";
import { countries, currencyOf } from "#server/foundation/countries/registry.ts";
import { daysLeft } from "#server/orders/subscriptions/days.ts";
import { endOfTerm } from "#server/orders/subscriptions/term.ts";

/** A refund by order, newest first. */
export interface CancellationRefund {
  parts: CancellationPart[];
  total: Money;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

export interface PaidBatch extends UnusedPaidOrder {
  order: PaidOrder;
  /** Start of the period that it paid for. */
  begins: Date;
}

/** The period that an order paid for, by the day as its price was (docs/decisions/prices.md#proration). */
export function batchOf(order: PaidOrder, now: Date, country: Country): PaidBatch {
  const { begins, ends, daysPaid } = periodOf(order, country);
  return {
    order,
    begins,
    paid: order.paid,
    refunded: order.refunded,
    seats: order.seats,
    seatsLeft: Math.max(0, order.seats - order.seatsReturned),
    daysPaid,
    daysLeft: Math.min(daysPaid, daysLeft(ends, now)),
  };
}

function periodOf(
  { details, fulfilledAt, term, billingCycle }: PaidOrder,
  country: Country,
): {
  begins: Date;
  ends: Date;
  daysPaid: number;
} {
  const { proration, renewal } = details;
  if (proration !== undefined)
    return {
      begins: fulfilledAt,
      ends: new Date(proration.until),
      daysPaid: Math.max(1, proration.daysLeft),
    };
  // A renewal that came too late began when it was carried out (docs/decisions/renewal.md#renewal).
  const after = renewal === undefined ? fulfilledAt : new Date(renewal.after);
  const begins = after > fulfilledAt ? after : fulfilledAt;
  // A monthly charge pays for a month, regardless of the commitment.
  const anchorDay = begins === after ? renewal?.anchorDay : undefined;
  const ends = endOfTerm(begins, billingCycle === "monthly" ? "P1M" : term, country, anchorDay);
  return { begins, ends, daysPaid: Math.max(1, Math.round((ends.getTime() - begins.getTime()) / dayMs)) };
}

/** Lists orders with licences that our terms still allow the buyer to return. */
export function reducibleBatches(
  { family }: Pick<Subscription, "family">,
  batches: readonly PaidBatch[],
  now: Date,
): { batch: PaidBatch; until: Date }[] {
  const { reduce } = families[family].returns;
  if ("never" in reduce) return [];
  return batches
    .map((batch) => ({ batch, until: new Date(batch.begins.getTime() + reduce.hours * hourMs) }))
    .filter(({ batch, until }) => until > now && batch.begins <= now && batch.seatsLeft > 0);
}

/** Computes the refund for all paid licences of terms that have not ended. @returns null when there are none */
export function refundOfAll(
  subscription: Pick<Subscription, "country">,
  batches: readonly PaidBatch[],
): CancellationRefund | null {
  const unused = batches.filter((batch) => batch.seatsLeft > 0 && batch.daysLeft > 0);
  return sumOf(
    subscription,
    unused.map((batch) => ({ batch, seats: batch.seatsLeft })),
  );
}

/**
 * Computes the refund for this number of licences, from the newest orders first.
 * @returns null when our terms no longer allow as many
 */
export function refundOfSome(
  subscription: Pick<Subscription, "country" | "family">,
  batches: readonly PaidBatch[],
  seats: number,
  now: Date,
): CancellationRefund | null {
  const taken = allocateSeats(
    reducibleBatches(subscription, batches, now).map(({ batch }) => batch),
    seats,
  );
  if (taken === null) return null;
  return sumOf(
    subscription,
    taken.map(({ order: batch, seats: here }) => ({ batch, seats: here })),
  );
}

function sumOf(
  { country }: Pick<Subscription, "country">,
  taken: readonly { batch: PaidBatch; seats: number }[],
): CancellationRefund | null {
  if (taken.length === 0) return null;
  const { totalStepMinor } = countries[country];
  const parts = taken.map(({ batch, seats }) => ({
    orderId: batch.order.orderId,
    seats,
    amount: computeUnusedPart(batch, seats, totalStepMinor),
  }));
  const total = parts.reduce((all, { amount }) => add(all, amount), money(0, currencyOf(country)));
  return { parts, total };
}
