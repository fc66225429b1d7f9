/** What is promoted beside the catalogue: asked for by a person, not bought in the shop. Amounts in minor units, before tax. */
import type { Country } from "../tables/enums.ts";

/** A business laptop, by the countries it is offered in. */
export const laptopPromotion: Partial<Record<Country, { listMinor: number; offerMinor: number }>> = {
  IN: { listMinor: 1_23_851_00, offerMinor: 65_000_00 },
};
