/**
 * The figures of an order under the names of the order creation payload. Figures a client posts are only compared, never used
 * (docs/decisions/prices.md#price-holds).
 */

import { z } from "zod";
import type { Money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import { add, toMajor, zero } from "#server/catalogue/pricing/money.ts";
import { signupSeats } from "#server/catalogue/pricing/total.ts";
import { currencies } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { amount, major } from "./fields.ts";

/** The posted figures. Fields left out are not compared. */
export const postedAmounts = {
  taxRate: amount.nullish().describe("0.18 where 18% GST is added, 0 where no tax is"),
  unit_price: amount
    .nullish()
    .describe("of a seat for the term, or the month; 0 when every user pays the sign-up price"),
  secondary_unit_price: amount.nullish().describe("Google's sign-up price; 0 when it does not apply"),
  total: amount.nullish().describe("before tax; the sum with tax, whole or not, is accepted as well"),
  tax_amount: amount.nullish(),
  totalCost: amount.nullish().describe("the grand total: whole rupees, or dollars and cents"),
};
type Posted = { [Name in keyof typeof postedAmounts | "count"]?: number | null | undefined };

export const amountFields = {
  count: z.int(),
  currency: z.enum(currencies),
  taxRate: z.number(),
  unit_price: major,
  secondary_unit_price: major,
  total: major.describe("before tax"),
  tax_amount: major,
  totalCost: major.describe("what is paid: whole rupees, or dollars and cents"),
};

/** A seat's regular price and sign-up price, each 0 when no seat is charged at it (docs/specification.md, section 9.1). */
export function unitPrices({ line }: Order): { unit: Money; signup: Money } {
  const nothing = zero(line.unitPrice.currency);
  if (line.signupPrice === null) return { unit: line.unitPrice, signup: nothing };
  return { unit: line.quantity > signupSeats ? line.unitPrice : nothing, signup: line.signupPrice };
}

export function amountsOf(order: Order) {
  const { unit, signup } = unitPrices(order);
  return {
    count: order.line.quantity,
    currency: order.total.currency,
    taxRate: order.taxRateBasisPoints / 10_000,
    unit_price: toMajor(unit),
    secondary_unit_price: toMajor(signup),
    total: toMajor(order.subtotal),
    tax_amount: toMajor(order.tax),
    totalCost: toMajor(order.total),
  };
}

/** @throws DomainError price_changed, naming each figure that differs */
export function requireSameAmounts(order: Order, posted: Posted): void {
  const now = amountsOf(order);
  const sums = [order.subtotal, add(order.subtotal, order.tax), order.total].map(toMajor);
  const right: Record<keyof Posted, number[]> = {
    taxRate: [now.taxRate],
    unit_price: [now.unit_price],
    secondary_unit_price: [now.secondary_unit_price],
    total: sums,
    tax_amount: [now.tax_amount],
    totalCost: [now.totalCost],
    count: [now.count],
  };
  const fields: Record<string, string> = {};
  for (const [name, values] of Object.entries(right)) {
    const said = Object.entries(posted).find(([given]) => given === name)?.[1];
    if (said == null || values.some((value) => Math.round(value * 100) === Math.round(said * 100))) continue;
    fields[name] = `It's now ${values[0]}.`;
  }
  if (Object.keys(fields).length > 0) throw new DomainError("price_changed", "Price has changed", { fields });
}
