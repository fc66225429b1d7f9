/** What step 1 shows of an item: its plans in words, with prices, and the rule about seats. */
import type { z } from "zod";
import type { Country, Family } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { requireGoogleDomain } from "#server/orders/google-domain.ts";
import type { Order } from "#server/orders/order.ts";
import type { Selection } from "#server/orders/pricing.ts";
import { plansOf } from "#server/orders/pricing.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { consoleOf } from "#server/pricing/quote.ts";
import { detailsSchema, googleDetailsSchema } from "../../forms/schemas.ts";
import type { Page } from "../../http/page.ts";
import type { DetailsFormProps } from "./details-form.tsx";

const headings = {
  microsoft: "Set up your Subscription",
  google: "Set up your Google Subscription",
  brio: "Set up your Subscription",
} as const;

export function detailsData(
  item: CatalogueItem,
  country: Country,
): Pick<DetailsFormProps, "heading" | "item" | "plans" | "withDomain"> {
  return {
    heading: headings[item.family],
    withDomain: item.family === "google" ? consoleOf(country) : null,
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

/** What the form of an order that has been begun starts with. */
export function chosenIn({ line, details }: Order): DetailsFormProps["chosen"] {
  return { term: line.term, quantity: line.quantity, domain: details.google?.domain ?? "" };
}

/** The schema of step 1, by family. */
export function detailsSchemaOf(family: Family) {
  return family === "google" ? googleDetailsSchema : detailsSchema;
}

/**
 * What was posted, as a selection; Google's domain is asked for on the way.
 * @throws DomainError on the field `domain` when it cannot be used
 */
export async function selectionIn(
  page: Page,
  value: z.output<typeof detailsSchema> | z.output<typeof googleDetailsSchema>,
): Promise<Selection> {
  const { term, quantity } = value;
  const selection = { term, quantity, billingCycle: billingOf[term] };
  if (!("domain" in value)) return selection;
  return { ...selection, google: await requireGoogleDomain(page.context, value.domain, page.clientAddress) };
}

/** How each commitment is charged: in full and in advance (SPEC section 9, terms). */
const billingOf = { P1Y: "annual", P1M: "monthly" } as const;
