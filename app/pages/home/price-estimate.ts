/**
 * The price calculator: the price of a plan for a number of people, with tax, before any form. It reads its three answers from
 * the URL, so that it works without scripts and the result can be shared.
 */
import type { ItemId } from "#db/ids.ts";
import type { Country, Term } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { formatExact, formatMoney } from "#server/catalogue/pricing/format.ts";
import { checkQuantity } from "#server/catalogue/pricing/quantity.ts";
import { plainDigits } from "#server/foundation/digits.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import { textIn, translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { plansOf, priceSelection } from "#server/orders/pricing.ts";
import type { PriceTax } from "#server/orders/supply.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import type { PriceSummaryLine } from "../../ui/price-summary.tsx";

export interface PriceEstimate {
  readonly plans: readonly { id: ItemId; name: string }[];
  readonly plan: ItemId;
  /** The number of people as typed. */
  readonly people: string;
  readonly maxPeople: number | null;
  readonly terms: readonly { term: Term; name: string }[];
  readonly term: Term;
  /** Why the plan cannot be bought for this number of people, or null. */
  readonly problem: string | null;
  readonly bill: {
    lines: PriceSummaryLine[];
    total: PriceSummaryLine;
    name: string;
    buy: string | null;
  } | null;
}

interface Sold {
  /** Items in page order; the first is the default. */
  items: readonly CatalogueItem[];
  country: Country;
  tax: PriceTax;
  language: LanguageId;
  isCustomer: boolean;
  mayBuy: boolean;
}

/** Number of people on the first visit. */
const standardPeople = "10";

const termNames: Readonly<Record<Term, PlainMessageKey>> = { P1Y: "steps.oneYear", P1M: "steps.oneMonth" };

/** @returns null when nothing is on sale */
export function priceEstimateOf(
  { items, country, tax: priceTax, language, isCustomer, mayBuy }: Sold,
  params: URLSearchParams,
): PriceEstimate | null {
  const text = textIn(language);
  const item = items.find(({ id }) => id === params.get("plan")) ?? items[0];
  if (item === undefined) return null;
  const sold = plansOf(item, country);
  const chosen = sold.find(({ term }) => term === params.get("term")) ?? sold[0];
  if (chosen === undefined) return null;
  const people = plainDigits(params.get("people") ?? standardPeople).slice(0, 9);
  const checked = checkQuantity(people, item);
  return {
    plans: items.map(({ id, name }) => ({ id, name })),
    plan: item.id,
    people,
    maxPeople: item.maxSeats,
    terms: [...new Set(sold.map(({ term }) => term))].map((term) => ({ term, name: text(termNames[term]) })),
    term: chosen.term,
    problem: checked.ok ? null : translate(language, checked.message),
    bill: checked.ok ? billOf(checked.quantity) : null,
  };

  function billOf(quantity: number) {
    if (item === undefined || chosen === undefined) return null;
    const { term, billingCycle } = chosen;
    const { rateBasisPoints } = priceTax;
    const priced = priceSelection(item, country, { term, billingCycle, quantity }, rateBasisPoints);
    const { lines, tax, rounding, total } = priced;
    const { name: taxName } = taxTexts(priceTax, language);
    const isYear = billingCycle === "annual";
    const ofYear = taxName === null ? text("home.totalYear") : text("home.totalYearWith", { tax: taxName });
    const ofMonth =
      taxName === null ? text("home.totalMonth") : text("home.totalMonthWith", { tax: taxName });
    return {
      name: item.name,
      lines: [
        ...lines.map((line) => ({
          label: text("home.seats", { people: line.quantity, price: formatMoney(line.unitPrice) }),
          value: formatExact(line.amount),
        })),
        ...(taxName === null
          ? []
          : [
              {
                label: text("home.tax", { tax: taxName, rate: rateBasisPoints / 100 }),
                value: formatExact(tax),
              },
            ]),
        ...(rounding.minor === 0 ? [] : [{ label: text("home.rounding"), value: formatExact(rounding) }]),
      ],
      total: { label: isYear ? ofYear : ofMonth, value: formatMoney(total) },
      buy: mayBuy
        ? (isCustomer ? paths.newContract : paths.newOrder)(
            { family: item.family, item: item.id, country },
            { quantity: String(quantity), term },
          )
        : null,
    };
  }
}
