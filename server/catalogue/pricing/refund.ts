/** What comes back of paid orders when licences are given back before their time is over (docs/decisions/cancellations.md). */
import { type Money, money } from "#db/money.ts";

/** A paid order, as far as its unused part is concerned. */
export interface UnusedPaidOrder {
  /** With tax, as it was charged. */
  paid: Money;
  /** What has gone back of it already, or is on its way. */
  refunded: Money;
  /** The licences it paid for, from 1. */
  seats: number;
  /** Those among them that have not been given back yet, from 0 to `seats`. */
  seatsLeft: number;
  /** Whole days that it paid for, from 1. */
  daysPaid: number;
  /** Those still to come, from 0; more than `daysPaid` for a period that has not begun. */
  daysLeft: number;
}

/**
 * What comes back for some of an order's licences: paid x licences / all its licences x days left / days paid for, rounded half
 * up as totals are, and never more than is left of the payment.
 * @param seats from 0 to `seatsLeft`
 * @param stepMinor the country's step of totals, in minor units
 * @throws RangeError for licences, days or a step that cannot be
 */
export function computeUnusedPart(order: UnusedPaidOrder, seats: number, stepMinor: number): Money {
  const { paid, refunded, seatsLeft, daysPaid } = order;
  requireWhole(seats, 0, seatsLeft);
  requireWhole(order.seats, Math.max(1, seatsLeft));
  requireWhole(daysPaid, 1);
  requireWhole(order.daysLeft, 0);
  requireWhole(stepMinor, 1);
  if (paid.currency !== refunded.currency) throw new TypeError("A payment is refunded in its own currency");
  const daysLeft = Math.min(order.daysLeft, daysPaid);
  const step = BigInt(stepMinor);
  const numerator = BigInt(paid.minor) * BigInt(seats) * BigInt(daysLeft);
  const denominator = BigInt(order.seats) * BigInt(daysPaid) * step;
  const rounded = Number(((2n * numerator + denominator) / (2n * denominator)) * step);
  const most = Math.max(0, paid.minor - refunded.minor);
  return money(Math.min(rounded, most), paid.currency);
}

/** Licences of one order that are given back. */
export interface SeatAllocation<Order> {
  order: Order;
  /** From 1. */
  seats: number;
}

/**
 * Which orders' licences are given back: those of the newest first.
 * @param orders the newest first
 * @returns null when they have fewer
 */
export function allocateSeats<Order extends Pick<UnusedPaidOrder, "seatsLeft">>(
  orders: readonly Order[],
  seats: number,
): SeatAllocation<Order>[] | null {
  let left = seats;
  const taken = orders.map((order) => {
    const here = Math.min(left, order.seatsLeft);
    left -= here;
    return { order, seats: here };
  });
  return left > 0 ? null : taken.filter((each) => each.seats > 0);
}

/**
 * Which payments a sum is given back of: the newest first, each as far as something is left of it.
 * @param payments the newest first, with what is left of each in minor units
 * @param amountMinor from 0
 * @throws RangeError for more than is left of all of them
 */
export function spread<Payment extends { leftMinor: number }>(
  payments: readonly Payment[],
  amountMinor: number,
): { payment: Payment; amountMinor: number }[] {
  requireWhole(
    amountMinor,
    0,
    payments.reduce((sum, { leftMinor }) => sum + leftMinor, 0),
  );
  let left = amountMinor;
  const parts = payments.map((payment) => {
    const here = Math.min(left, payment.leftMinor);
    left -= here;
    return { payment, amountMinor: here };
  });
  return parts.filter((part) => part.amountMinor > 0);
}

/** Where an order's refunds and credit notes stand, in minor units. */
export interface CreditPosition {
  /** What was paid beyond the invoice and has not been given back. */
  surplusMinor: number;
  /** Refunds of what was invoiced that did not fail. */
  refundedMinor: number;
  /** Credit notes that hold: more than was refunded, where a refund failed and its credit note cannot be taken back. */
  creditedMinor: number;
}

/**
 * What of a refund gives back a surplus, which no invoice has named, and how much a credit note is issued for: the rest, less what
 * is credited already (docs/decisions/credit-notes.md).
 * @param amountMinor from 1
 * @param isOfLicences whether it pays for licences that were given back. Any other refund gives back a surplus first
 */
export function divideRefund(
  amountMinor: number,
  { surplusMinor, refundedMinor, creditedMinor }: CreditPosition,
  { isOfLicences }: { isOfLicences: boolean },
): { surplusMinor: number; creditMinor: number } {
  requireWhole(amountMinor, 1);
  const beyond = isOfLicences ? 0 : Math.min(amountMinor, Math.max(0, surplusMinor));
  const ahead = Math.max(0, creditedMinor - refundedMinor);
  return { surplusMinor: beyond, creditMinor: Math.max(0, amountMinor - beyond - ahead) };
}

function requireWhole(number: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (!Number.isSafeInteger(number) || number < least || number > most)
    throw new RangeError(`Not from ${least} to ${most}: ${number}`);
}
