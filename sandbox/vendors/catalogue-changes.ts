/** Deviations from vendors' usual catalogues, set by `/control/catalogue`. Kept in memory only. */
import { z } from "zod";

export const catalogueChange = z.object({
  /** The changed offer: `product:sku` at Microsoft, a SKU's id at Google. */
  offer: z.string(),
  /** The only country of the change; every country when left out. */
  country: z.string().optional(),
  /** True when the vendor no longer has it. */
  gone: z.boolean().optional(),
  /** Its new id, in the format of `offer`. */
  as: z.string().optional(),
  title: z.string().optional(),
  minSeats: z.int().optional(),
  maxSeats: z.int().optional(),
  /** A term for which it is not sold. */
  withoutTerm: z.string().optional(),
  /** The partner's cost, in percent of the usual one. */
  costPercent: z.int().optional(),
});
export type CatalogueChange = z.infer<typeof catalogueChange>;

/** All changes of an offer in a country, merged. */
export function changeOf(all: readonly CatalogueChange[], offer: string, country: string): CatalogueChange {
  const set = all.filter(
    (one) => one.offer === offer && (one.country === undefined || one.country === country),
  );
  return Object.assign({ offer }, ...set);
}
