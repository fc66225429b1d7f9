/** Splits the tax on an order between the centre and the states (docs/providers.md, section 4). */
import type { Money } from "#db/money.ts";
import { scale } from "#server/catalogue/pricing/money.ts";
import type { PlaceOfSupply } from "./place-of-supply.ts";

export interface TaxPart {
  /** "CGST", "SGST", "UTGST" or "IGST"; the tax's own name when it is not split. */
  name: string;
  /** Hundredths of a percent: 900 = 9%. */
  rateBasisPoints: number;
  amount: Money;
}

/** Union territories without a legislature, whose half is called UTGST. */
const unionTerritories = ["04", "26", "31", "35", "38"];

/**
 * Splits the tax: within the supplier's state half the rate is CGST and half SGST; anywhere else all of it is IGST. Each part
 * is computed from the taxable value and rounded half up, so the halves are equal. A difference of one paisa to the order's
 * single tax figure counts as rounding. A supply to a special economic zone always counts as interstate (IGST Act, section
 * 7(5)(b)).
 * @param taxable the order's subtotal, at least 0
 * @param rateBasisPoints the whole rate, 1800 = 18%
 */
export function splitTax(
  taxable: Money,
  rateBasisPoints: number,
  supplierStateCode: string,
  place: PlaceOfSupply,
  { isToZone = false }: { isToZone?: boolean } = {},
): TaxPart[] {
  if (place.code !== supplierStateCode || isToZone) {
    return [{ name: "IGST", rateBasisPoints, amount: scale(taxable, rateBasisPoints, 10_000) }];
  }
  const half = scale(taxable, rateBasisPoints, 20_000);
  const ofState = unionTerritories.includes(place.code) ? "UTGST" : "SGST";
  return [
    { name: "CGST", rateBasisPoints: rateBasisPoints / 2, amount: half },
    { name: ofState, rateBasisPoints: rateBasisPoints / 2, amount: half },
  ];
}
