/** How vendors' catalogues depart from what they usually are, as `/control/catalogue` sets it. Kept in memory only. */
import { z } from "zod";

export const catalogueChange = z.object({
  /** What is changed: `product:sku` at Microsoft, a SKU's id at Google. */
  offer: z.string(),
  /** Where alone it is so; everywhere when left out. */
  country: z.string().optional(),
  /** True: the vendor does not know it any more. */
  gone: z.boolean().optional(),
  /** The id that it has instead, written as `offer` is. */
  as: z.string().optional(),
  title: z.string().optional(),
  minSeats: z.int().optional(),
  maxSeats: z.int().optional(),
  /** A term that it is not sold for. */
  withoutTerm: z.string().optional(),
  /** What the partner pays, in hundredths of what it usually does. */
  costPercent: z.int().optional(),
});
export type CatalogueChange = z.infer<typeof catalogueChange>;

/** All that is set for an offer in a country, as one change. */
export function changeOf(all: readonly CatalogueChange[], offer: string, country: string): CatalogueChange {
  const set = all.filter(
    (one) => one.offer === offer && (one.country === undefined || one.country === country),
  );
  return Object.assign({ offer }, ...set);
}
