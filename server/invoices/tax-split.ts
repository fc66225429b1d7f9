/** How an order's one tax figure is divided between the centre and the states (PROVIDERS section 4). */
import { type Money, money, subtract } from "#server/pricing/money.ts";
import type { PlaceOfSupply } from "./place-of-supply.ts";

export interface TaxPart {
  name: "CGST" | "SGST" | "UTGST" | "IGST";
  /** Hundredths of a percent: 900 = 9%. */
  rateBasisPoints: number;
  amount: Money;
}

/** Union territories without a legislature, whose half is called UTGST. */
const unionTerritories = ["04", "26", "31", "35", "38"];

/**
 * Within the supplier's state half the rate is CGST and half SGST; anywhere else all of it is IGST. The parts add up to the
 * tax exactly: of an odd number of paise CGST has the one more.
 * @param tax the order's own, from 0
 * @param rateBasisPoints the whole rate, 1800 = 18%
 */
export function splitTax(
  tax: Money,
  rateBasisPoints: number,
  supplierStateCode: string,
  place: PlaceOfSupply,
): TaxPart[] {
  if (place.code !== supplierStateCode) return [{ name: "IGST", rateBasisPoints, amount: tax }];
  const half = money(Math.floor(tax.minor / 2), tax.currency);
  const ofState = unionTerritories.includes(place.code) ? "UTGST" : "SGST";
  return [
    { name: "CGST", rateBasisPoints: rateBasisPoints / 2, amount: subtract(tax, half) },
    { name: ofState, rateBasisPoints: rateBasisPoints / 2, amount: half },
  ];
}
