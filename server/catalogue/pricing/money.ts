/**
 * Money arithmetic, used for every sum in the store. Fractions exist only inside a multiplication, which rounds half up
 * immediately.
 */
import { type Money, money } from "#db/money.ts";
import type { Currency } from "#db/tables/enums.ts";

export function zero(currency: Currency): Money {
  return { minor: 0, currency };
}

/** @throws TypeError when the currencies differ. */
export function add(a: Money, b: Money): Money {
  sameCurrency(a, b);
  return money(a.minor + b.minor, a.currency);
}

/** @throws RangeError when `count` is not an integer >= 0. */
export function times(amount: Money, count: number): Money {
  if (!Number.isInteger(count) || count < 0) throw new RangeError(`Not a count: ${count}`);
  return money(amount.minor * count, amount.currency);
}

/** Returns amount x numerator / denominator, rounded half up to a minor unit. Exact until then (BigInt). */
export function scale(amount: Money, numerator: number, denominator: number): Money {
  if (!Number.isInteger(numerator) || !Number.isInteger(denominator) || numerator < 0 || denominator <= 0) {
    throw new RangeError(`Not a ratio: ${numerator}/${denominator}`);
  }
  const doubled = 2n * BigInt(amount.minor) * BigInt(numerator) + BigInt(denominator);
  return money(Number(doubled / (2n * BigInt(denominator))), amount.currency);
}

/** Returns the decimal number for an API response, in rupees or dollars, with at most two decimals. */
export function toMajor(amount: Money): number {
  return amount.minor / 100;
}

/** Parses an amount such as "123.45" or "123" to minor units; null for anything else. */
export function parseMinor(text: string): number | null {
  const [, whole, cents = ""] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(cents.padEnd(2, "0"));
}

/** Formats an amount as parseMinor reads it: "123.45", "123". */
export function toAmountText(minor: number): string {
  return String(minor / 100);
}

function sameCurrency(a: Money, b: Money): void {
  if (a.currency !== b.currency) throw new TypeError(`Cannot combine ${a.currency} with ${b.currency}`);
}
