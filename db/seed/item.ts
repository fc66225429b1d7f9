/** How the catalogue is written down: an item without what its file already says, and prices in whole rupees or dollars. */
import type { ItemToSave, Price } from "../catalogue.ts";
import type { BillingCycle, Currency, PriceKind, Term } from "../tables/enums.ts";

/** The file gives the family, the place in the list gives the position. */
export type SeedItem = Omit<ItemToSave, "family" | "position">;

/** Our price and the vendor's list price, a seat for one billing period, in rupees or dollars. */
type Pair = readonly [ours: number, list: number];

/**
 * The two ways in which Microsoft and brio plans are sold: every term is paid in full and in advance
 * (docs/specification.md, section 9.1), so a year billed by the month, whose later months nobody would collect, is not among them.
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

/** Google sells by the year only, with a lower price for the first users of a new sign-up (docs/specification.md, section 9.1). */
export function yearly(
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

/** Rounding only undoes what binary fractions do to a price such as 19.99. */
function toMinor(amount: number): number {
  return Math.round(amount * 100);
}
