/**
 * Promotions that are not in the catalogue: buyers ask sales for them, because the store does not sell them. Amounts in minor
 * units, before tax.
 */
import type { Country } from "../tables/enums.ts";

/** Business laptop, by the countries where it is offered. */
export const laptopPromotion: Partial<Record<Country, { listMinor: number; offerMinor: number }>> = {
  IN: { listMinor: 1_23_851_00, offerMinor: 65_000_00 },
};
