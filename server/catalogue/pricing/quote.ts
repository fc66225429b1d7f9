/**
 * The only place where a price becomes a total. Cart, review, invoice, API and payment all show what `quote` returns, so
 * that no two screens can differ by a paisa.
 */

import { type Money, money } from "#db/money.ts";
import type { Country } from "#db/tables/enums.ts";
import { countries, currencyOf } from "#server/foundation/countries/registry.ts";
import { countryTaxRate } from "#server/foundation/countries/tax-rates.ts";
import { scale, zero } from "./money.ts";
import { signupSeats, totalOf } from "./total.ts";

/**
 * "standard" is every purchase except Google's new customers. Only "new_signup" has a sign-up price (docs/specification.md,
 * section 9.1).
 */
export type CustomerType = "new_signup" | "transfer_token" | "standard";

export interface QuoteInput {
  /** Seats, an integer from 1. */
  quantity: number;
  /** Regular price of a seat for the billing period charged now. */
  unitPrice: Money;
  /** Google's price for the first 20 users of a new sign-up, same period. */
  signupPrice?: Money | null | undefined;
  customerType: CustomerType;
  country: Country;
  /** Hundredths of a percent; the country's present rate when left out. An export or a special economic zone has another. */
  taxRateBasisPoints?: number | undefined;
}

export interface QuoteLine {
  quantity: number;
  unitPrice: Money;
  /** quantity x unitPrice. */
  amount: Money;
}

export interface Quote {
  quantity: number;
  /** One line, or two when a new sign-up has more than 20 users: the sign-up price first, then the regular price. */
  lines: QuoteLine[];
  /** Price for docs/specification.md, section 9.1: the regular price, and 0 when every user pays the sign-up price. */
  unitPrice: Money;
  /** Sign-up price when it applies, else `null`. */
  secondaryUnitPrice: Money | null;
  subtotal: Money;
  /** Hundredths of a percent: 1800 = 18%. */
  taxRateBasisPoints: number;
  /** subtotal x rate, rounded half up to 2 decimals. */
  tax: Money;
  /** total - subtotal - tax: from -49 to +50 paise, shown as "Rounding"; 0 where totals are not rounded. */
  rounding: Money;
  /** Amount to pay: whole rupees, or dollars and cents. */
  total: Money;
}

/**
 * Prices a purchase. The country decides how the total is rounded (docs/decisions/prices.md#totals).
 * @throws RangeError when the quantity is not an integer from 1, a price is negative, or the total is beyond a safe
 * integer
 * @throws TypeError when a price is not in the country's currency
 */
export function quote(input: QuoteInput): Quote {
  const { quantity, unitPrice, customerType, country } = input;
  if (!Number.isSafeInteger(quantity) || quantity < 1) throw new RangeError(`Not a quantity: ${quantity}`);
  const signupPrice = customerType === "new_signup" ? (input.signupPrice ?? null) : null;
  requirePrice(unitPrice, country);
  if (signupPrice !== null) requirePrice(signupPrice, country);

  const { currency } = unitPrice;
  const amount = (minor: number) => money(minor, currency);
  const { totalStepMinor } = countries[country];
  const taxRateBasisPoints = input.taxRateBasisPoints ?? countryTaxRate(country, new Date());
  const { parts, subtotal, tax, total } = totalOf(quantity, {
    unitPrice: unitPrice.minor,
    signupPrice: signupPrice?.minor ?? null,
    taxRateBasisPoints,
    totalStepMinor,
  });
  return {
    quantity,
    lines: parts.map((part) => ({
      quantity: part.quantity,
      unitPrice: amount(part.price),
      amount: amount(part.quantity * part.price),
    })),
    unitPrice: signupPrice === null || quantity > signupSeats ? unitPrice : zero(currency),
    secondaryUnitPrice: signupPrice,
    subtotal: amount(subtotal),
    taxRateBasisPoints,
    tax: amount(tax),
    rounding: amount(total - subtotal - tax),
    total: amount(total),
  };
}

/**
 * Returns the tax and the total of a subtotal, as `quote` computes them. @param taxRateBasisPoints hundredths of a percent, from
 * 0
 */
export function computeTotals(
  subtotal: Money,
  taxRateBasisPoints: number,
  country: Country,
): Pick<Quote, "tax" | "rounding" | "total"> {
  const { totalStepMinor } = countries[country];
  const rates = { unitPrice: subtotal.minor, signupPrice: null, taxRateBasisPoints, totalStepMinor };
  const { tax, total } = totalOf(1, rates);
  const amount = (minor: number) => money(minor, subtotal.currency);
  return { tax: amount(tax), rounding: amount(total - subtotal.minor - tax), total: amount(total) };
}

/**
 * Returns a seat's price for the rest of a running term: amount x daysLeft / daysInTerm, rounded half up to 2 decimals
 * (docs/decisions/prices.md#proration). daysLeft may exceed daysInTerm: a subscription renewed early runs to the end of its next
 * term.
 * @param daysLeft whole days from 0
 * @param daysInTerm whole days from 1
 * @throws RangeError when either is not
 */
export function prorate(amount: Money, daysLeft: number, daysInTerm: number): Money {
  return scale(amount, daysLeft, daysInTerm);
}

function requirePrice(price: Money, country: Country): void {
  if (price.currency !== currencyOf(country)) {
    throw new TypeError(`${country} is charged in ${currencyOf(country)}, not in ${price.currency}`);
  }
  // money() also rejects fractions, which a price that was built manually might have.
  if (money(price.minor, price.currency).minor < 0) throw new RangeError(`Not a price: ${price.minor}`);
}
