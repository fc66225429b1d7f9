/** Refunds of paid orders when licences are cancelled before the end of their term (docs/decisions/refunds.md#cancellations). */
import { type Money, money } from "#db/money.ts";

/** A paid order, with the fields that its unused part depends on. */
export interface UnusedPaidOrder {
  /** Charged amount including tax. */
  paid: Money;
  /** Refunded amount, including refunds in progress. */
  refunded: Money;
  /** Paid licences, at least 1. */
  seats: number;
  /** Licences among them that have not been cancelled yet, from 0 to `seats`. */
  seatsLeft: number;
  /** Paid days, whole, at least 1. */
  daysPaid: number;
  /** Remaining days, from 0; more than `daysPaid` for a period that has not begun. */
  daysLeft: number;
}

/**
 * Returns the refund for some of an order's licences: paid x licences / all its licences x days left / days paid, rounded half up
 * as totals are, and never more than the rest of the payment.
 * @param seats from 0 to `seatsLeft`
 * @param stepMinor the country's step of totals, in minor units
 * @throws RangeError for invalid licences, days or step
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

/** Cancelled licences of one order. */
export interface SeatAllocation<Order> {
  order: Order;
  /** Number of seats, from 1. */
  seats: number;
}

/**
 * Allocates cancelled licences to orders, newest first.
 * @param orders newest first
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
 * Allocates a refund to payments, newest first, each up to its remaining amount.
 * @param payments newest first, with their remaining amounts in minor units
 * @param amountMinor from 0
 * @throws RangeError for more than all remaining amounts
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

/** Totals of an order's refunds and credit notes, in minor units. */
export interface CreditPosition {
  /** Amount paid beyond the invoice and not refunded. */
  surplusMinor: number;
  /** Refunds of the invoiced amount that did not fail. */
  refundedMinor: number;
  /** Valid credit notes; more than was refunded if a refund failed and its credit note cannot be withdrawn. */
  creditedMinor: number;
}

/**
 * Divides a refund: the part that returns a surplus, which is on no invoice, and the amount of its credit note: the rest, less
 * the amount credited already (docs/decisions/refunds.md#credit-notes).
 * @param amountMinor from 1
 * @param isOfLicences whether it refunds cancelled licences. Any other refund returns a surplus first
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
