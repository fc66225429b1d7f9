/** Sources of price lists in Desk: our own file, a vendor's file, and a vendor's API, in each country it sells in. */

import { marketText } from "#server/desk/vendor-catalogue/check.ts";
import { listVendorMarkets, type VendorMarket } from "#server/desk/vendor-catalogue/fetch-market.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { wrongField } from "#server/foundation/errors.ts";
import type { Context } from "#server/platform/context.ts";
import type { PriceListSource } from "./import.ts";

/** An uploaded file. */
export interface UploadedPriceFile {
  name: string;
  /** Yields its text in pieces. */
  pieces(): AsyncIterable<string>;
}

interface Choice {
  /** Value of the form's option. */
  value: string;
  label: string;
  /** @throws DomainError bad_request when a file is missing */
  open(file: UploadedPriceFile | null): PriceListSource;
}

export function listSources(context: Pick<Context, "env">): Choice[] {
  const markets = listVendorMarkets(context);
  return [
    { value: "own", label: "Our own price list (CSV)", open: (file) => ({ kind: "file", ...opened(file) }) },
    ...markets.map(
      (market): Choice => ({
        value: `file ${nameOf(market)}`,
        label: `${market.catalogue.priceFile.label}, ${countries[market.country].nameInSentence}`,
        open: (file) => ({ kind: "vendor file", ...opened(file), market }),
      }),
    ),
    ...markets.map(
      (market): Choice => ({
        value: `ask ${nameOf(market)}`,
        label: `What ${marketText(market)} charges now, without a file`,
        open: () => ({ kind: "vendor", market }),
      }),
    ),
  ];
}

function nameOf({ family, country }: VendorMarket): string {
  return `${family} ${country}`;
}

function opened(file: UploadedPriceFile | null): { name: string; pieces: AsyncIterable<string> } {
  if (file === null) throw wrongField("file", "Choose the file to import.");
  return { name: file.name, pieces: file.pieces() };
}
