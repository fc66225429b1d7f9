/**
 * GST treatment of an order's supply, and so the tax in its price. It depends on the seller, the buyer's place, the buyer's entry in the
 * GST register, and whether a letter of undertaking is in force (docs/decisions/countries.md#supply).
 */
import { isDeepStrictEqual } from "node:util";
import { findTaxpayerOf, readRegistration } from "#db/accounts/gst-registrations.ts";
import type { CustomerId } from "#db/ids.ts";
import type { AccountAnswers, Order, OrderAmounts, Supply } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { computeTotals } from "#server/catalogue/pricing/quote.ts";
import { longFinancialYear } from "#server/foundation/countries/financial-year.ts";
import { countries, gstCountry } from "#server/foundation/countries/registry.ts";
import { countryTaxRate } from "#server/foundation/countries/tax-rates.ts";
import { yearAndMonth } from "#server/orders/subscriptions/dates.ts";
import type { Env } from "#server/platform/env.ts";
import type { Seller } from "#server/platform/settings/sellers.ts";

export type SellersByCountry = Env["sellers"];

export interface Buyer {
  gstin: string | null;
  /** Whether the register lists it as a unit or developer of a special economic zone. */
  isSez: boolean;
}

/** Finds the letter of undertaking in force at a moment, by India's financial year; null when there is none. */
export function lutInForce({ letters }: Pick<Seller, "letters">, at: Date): string | null {
  const year = longFinancialYear(yearAndMonth(at, gstCountry));
  return letters.find((letter) => letter.year === year)?.number ?? null;
}

/**
 * Determines the GST treatment of a supply.
 * @param buyer null while the buyer is unknown
 * @returns null where the seller is not registered for GST, and where the country has its own tax
 */
export function supplyOf(
  sellers: SellersByCountry,
  country: Country,
  buyer: Buyer | null,
  at: Date,
): Supply | null {
  const seller = sellers.get(country);
  if (seller === undefined || seller.gstin === null) return null;
  const { kind } = countries[country].invoicing.tax;
  // A seller that charges the country's own tax is registered there, and sells within the country.
  if (kind === "single") return null;
  const letter = lutInForce(seller, at);
  if (kind === "none") return letter === null ? { type: "EXPWP", letter } : { type: "EXPWOP", letter };
  if (buyer?.isSez === true) return letter === null ? { type: "SEZWP", letter } : { type: "SEZWOP", letter };
  return { type: buyer === null || buyer.gstin === null ? "B2C" : "B2B", letter: null };
}

/**
 * Returns the tax rate at a moment in hundredths of a percent: 1800 = 18%. The rate on the day of payment counts (CGST Act,
 * section 14); `computeTaxNow` finds a change since pricing.
 * @param supply null where the country has its own tax
 */
export function taxRateOf(country: Country, supply: Supply | null, at: Date): number {
  if (supply === null) return countryTaxRate(country, at);
  return isUntaxed(supply) ? 0 : countryTaxRate(gstCountry, at);
}

export function isUntaxed({ type }: Supply): boolean {
  return type === "SEZWOP" || type === "EXPWOP";
}

export function isExport({ type }: Supply): boolean {
  return type === "EXPWP" || type === "EXPWOP";
}

export function isToZone({ type }: Supply): boolean {
  return type === "SEZWP" || type === "SEZWOP";
}

/**
 * Returns the supply of an order as it was priced. A GSTIN changes no price, so the newest answer counts. Orders from earlier
 * versions have no stored supply: they were sold within the GST country, or without GST.
 */
export function pricedSupplyOf({ country, details: { supply }, account }: Order): Supply | null {
  if (supply !== undefined && (isExport(supply) || isToZone(supply))) return supply;
  if (countries[country].invoicing.tax.kind !== "gst") return null;
  return { type: (account?.gst_code ?? null) === null ? "B2C" : "B2B", letter: null };
}

/** The buyer that a price is for. */
export interface PriceAudience {
  country: Country;
  /** Account details that the buyer has entered; null before that. */
  account: Pick<AccountAnswers, "gst_code"> | null;
  /** The company that is to buy; its newest address in the country counts while `account` is null. */
  customerId: CustomerId | null;
}

/** The tax in a price: its rate, and the supply that it follows from. */
export interface PriceTax {
  country: Country;
  supply: Supply | null;
  /** Hundredths of a percent: 1800 = 18%. */
  rateBasisPoints: number;
}

/** Determines the tax in the buyer's prices, on pages and in orders, by the register's entry for the GSTIN. */
export async function priceTaxFor(
  db: Db,
  sellers: SellersByCountry,
  pricedFor: PriceAudience,
  at: Date,
): Promise<PriceTax> {
  const { country } = pricedFor;
  const supply = supplyOf(sellers, country, await buyerOf(db, pricedFor), at);
  return { country, supply, rateBasisPoints: taxRateOf(country, supply, at) };
}

async function buyerOf(db: Db, { country, account, customerId }: PriceAudience): Promise<Buyer | null> {
  if (account === null) {
    const known = customerId === null ? null : await findTaxpayerOf(db, customerId, country);
    return known === null ? null : { gstin: known.gstin, isSez: isZone(known.taxpayerType ?? "") };
  }
  const { gst_code: gstin } = account;
  const registered = gstin === null ? null : await readRegistration(db, gstin);
  return { gstin, isSez: isZone(registered?.taxpayerType ?? "") };
}

/** Returns the tax in an order's price. */
export function priceTaxOf(order: Order): PriceTax {
  const { country, taxRateBasisPoints: rateBasisPoints } = order;
  return { country, supply: pricedSupplyOf(order), rateBasisPoints };
}

/** Whether the register calls a taxpayer a unit or developer of a special economic zone. */
export function isZone(taxpayerType: string): boolean {
  return /\bSEZ\b|special economic zone/i.test(taxpayerType);
}

export interface OrderTax {
  supply: Supply | undefined;
  /** The order's amounts at its current price with the tax of that supply. */
  figures: OrderAmounts;
}

/** Whether an order already has this tax. */
export function hasTax(order: Order, { supply, figures }: OrderTax): boolean {
  return (
    isDeepStrictEqual(pricedSupplyOf(order) ?? undefined, supply) && figures.total.minor === order.total.minor
  );
}

/**
 * Computes an order's amounts with the current tax of its supply, which a corrected GSTIN or a new financial year may have
 * changed.
 */
export async function computeTaxNow(
  db: Db,
  sellers: SellersByCountry,
  order: Order,
  account: Pick<AccountAnswers, "gst_code"> | null,
  now: Date,
): Promise<OrderTax> {
  const { subtotal, pricedAt, country, customerId } = order;
  const { supply, rateBasisPoints: rate } = await priceTaxFor(
    db,
    sellers,
    { country, account, customerId },
    now,
  );
  return {
    supply: supply ?? undefined,
    figures: { taxRateBasisPoints: rate, subtotal, ...computeTotals(subtotal, rate, country), pricedAt },
  };
}
