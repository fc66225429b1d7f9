/** What step 1 shows of an item: its plans in words, with prices, and the rule about seats. */
import type { Country } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { plansOf } from "#server/orders/pricing.ts";
import { formatMoney } from "#server/pricing/format.ts";
import type { DetailsFormProps } from "./details-form.tsx";

const headings = {
  microsoft: "Set up your Subscription",
  google: "Set up your Google Subscription",
  brio: "Set up your Subscription",
} as const;

export function detailsData(
  item: CatalogueItem,
  country: Country,
): Pick<DetailsFormProps, "heading" | "item" | "plans"> {
  return {
    heading: headings[item.family],
    item: {
      name: item.name,
      description: item.description,
      features: [...item.features],
      seatRule:
        item.maxSeats === null ? null : `From ${item.minSeats} to ${item.maxSeats} licences in one order.`,
    },
    plans: plansOf(item, country).map((plan) => {
      const period = plan.billingCycle === "monthly" ? "month" : "year";
      return {
        term: plan.term,
        label: plan.term === "P1Y" ? "One Year" : "One Month",
        price: `${formatMoney(plan.unitPrice)} user/${period}`,
        list: plan.list === null ? null : formatMoney(plan.list),
        note: plan.billingCycle === "monthly" ? "Billed monthly, in advance" : "Billed annually, in advance",
      };
    }),
  };
}

/** How each commitment is charged: in full and in advance (SPEC section 9, terms). */
export const billingOf = { P1Y: "annual", P1M: "monthly" } as const;
