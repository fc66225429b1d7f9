/** State of our catalogue compared with the vendors', from stored data only, for the start of a process. */

import { listCatalogueDifferences, listNotFound } from "#db/catalogue/vendor-catalogue.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Context } from "#server/platform/context.ts";
import { listVendorMarkets } from "./fetch-market.ts";

export interface CatalogueStatus {
  country: Country;
  /** Ids of items on sale that were never found at their vendor, and so cannot be bought. */
  notFound: string[];
  /** Items that differed in the last comparison with the vendor. */
  differing: string[];
}

/** Reads the state of every country in which a vendor sells. */
export async function readCatalogueStatus({
  db,
  env,
}: Pick<Context, "db" | "env">): Promise<CatalogueStatus[]> {
  const differences = await listCatalogueDifferences(db);
  const notFound = new Map<Country, string[]>();
  for (const market of listVendorMarkets({ env })) {
    const { country } = market;
    notFound.set(country, [...(notFound.get(country) ?? []), ...(await listNotFound(db, market))]);
  }
  return [...notFound].map(([country, missing]) => ({
    country,
    notFound: missing,
    differing: [...new Set(differences.filter((one) => one.country === country).map(({ itemId }) => itemId))],
  }));
}

/** Logs warnings about items that would stop orders. Never throws: the plans that were found can be sold. */
export async function warnAboutCatalogue(context: Pick<Context, "db" | "env" | "log">): Promise<void> {
  try {
    for (const { country, notFound, differing } of await readCatalogueStatus(context)) {
      if (notFound.length > 0 || differing.length > 0)
        context.log.warn(
          { country, notFound, differing },
          "the catalogue differs from a vendor's: npm run catalogue -- check",
        );
    }
  } catch (error) {
    context.log.warn({ err: error }, "it is not known whether the catalogue fits the vendors'");
  }
}
