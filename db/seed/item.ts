/** The notation of the catalogue files: items without what the file implies, and prices in whole rupees or dollars. */

import type { Price, VendorTitles } from "#db/catalogue/catalogue.ts";
import type { TranslatedItemCopy } from "#db/catalogue/item-copy.ts";
import type { PlanFacts } from "#db/catalogue/plan-facts.ts";
import type { ItemToSave } from "#db/catalogue/save-items.ts";
import type { BillingCycle, Currency, PriceKind, Section, Term } from "../tables/enums.ts";

/** The file implies the family, and the place in the list implies the position. */
export type SeedItem = Omit<ItemToSave, "family" | "position" | "vendor" | "section" | "facts" | "words"> & {
  /** Names in the vendor's catalogue. Left out without a vendor. */
  readonly vendor?: VendorTitles;
  /** Its texts in the other languages. */
  readonly words: TranslatedItemCopy;
} & (
    | { readonly section: Exclude<Section, "addon">; readonly facts: PlanFacts }
    // An add-on is bought in addition to a plan, so it is not compared.
    | { readonly section: Extract<Section, "addon"> }
  );

/** Our price and the vendor's list price of a seat for one billing period, in rupees or dollars. */
type Pair = readonly [ours: number, list: number];

/**
 * Returns the prices of the two terms of Microsoft and brio items. Every term is paid in full and in advance
 * (docs/specification.md, section 9.1), so there is no yearly term billed by the month, whose later months nobody would collect.
 */
export function commitments(
  currency: Currency,
  pairs: { monthToMonth: Pair; yearPaidAtOnce: Pair },
): Price[] {
  return [
    price(currency, "regular", "P1M", "monthly", pairs.monthToMonth),
    price(currency, "regular", "P1Y", "annual", pairs.yearPaidAtOnce),
  ];
}

/**
 * Returns Google's prices: only by the year, and lower for the first users of a new sign-up (docs/specification.md, section
 * 9.1).
 */
export function yearlyPrices(
  currency: Currency,
  amounts: { signup: number; regular: number; list: number },
): Price[] {
  return [
    price(currency, "regular", "P1Y", "annual", [amounts.regular, amounts.list]),
    price(currency, "signup", "P1Y", "annual", [amounts.signup, amounts.list]),
  ];
}

function price(
  currency: Currency,
  kind: PriceKind,
  term: Term,
  billingCycle: BillingCycle,
  [ours, list]: Pair,
): Price {
  return {
    currency,
    kind,
    term,
    billingCycle,
    amount: { minor: toMinor(ours), currency },
    list: { minor: toMinor(list), currency },
  };
}

/** Converts to minor units. The rounding only corrects floating-point error in a price such as 19.99. */
function toMinor(amount: number): number {
  return Math.round(amount * 100);
}
