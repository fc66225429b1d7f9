/** How the first step describes a subscription that is being changed. */

import type { Subscription } from "#db/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { countries } from "#server/countries/country.ts";
import { type ChangeKind, isRenewedWhole, renewsAll, seatPrice } from "#server/orders/subscription-change.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { isRunning } from "#server/subscriptions/subscription.ts";
import { renewedTerm } from "#server/subscriptions/term.ts";
import { daysWords } from "../order-words.ts";
import type { DetailsView } from "./details-form.tsx";

interface Change {
  kind: ChangeKind;
  item: CatalogueItem;
  country: Country;
  subscription: Subscription;
}

/** @param now a time at which the change is possible */
export function changeFacts({ kind, item, country, subscription }: Change, now: Date): DetailsView["facts"] {
  const { domain, quantity, end, extendedUntil } = subscription;
  const date = (moment: Date) => formatDate(moment, country);
  const { price: money, selection } = seatPrice(kind, { item, country, subscription }, now);
  const price = formatMoney(money);
  const { proration } = selection;
  if (proration !== undefined) {
    return [
      { label: "Domain", value: domain },
      { label: "You have", value: `${licences(quantity)}, to ${date(end)}` },
      {
        label: "Price per licence until then",
        value: `${price}, for ${daysWords(proration)}${beforeTax(country)}`,
      },
    ];
  }
  const next = renewedTerm(subscription, now);
  return [
    { label: "Domain", value: domain },
    { label: isRunning(subscription, now) ? "Ends" : "Ended", value: date(end) },
    ...(extendedUntil === null
      ? []
      : [
          {
            label: "Extended",
            value: `To ${date(extendedUntil)}, month by month. The extension ends when the new term begins.`,
          },
        ]),
    { label: "New term", value: `${date(next.start)} to ${date(next.end)}` },
    {
      label: "Price of a licence",
      value: `${price} user/${selection.billingCycle === "annual" ? "year" : "month"}${beforeTax(country)}`,
    },
  ];
}

/** Says that prices exclude the tax that the review adds. */
export function beforeTax(country: Country): string {
  return countries[country].words.beforeTax;
}

export function changeRule({ kind, item, subscription }: Change): string {
  const { quantity } = subscription;
  if (kind === "ADD") {
    return item.maxSeats === null
      ? "How many licences to add."
      : `How many licences to add. You have ${quantity}; the maximum is ${item.maxSeats}.`;
  }
  if (isRenewedWhole(subscription, new Date())) return renewsAll(subscription, quantity);
  return "How many licences the new term has. It can be more or fewer than now.";
}

/** Buy more begins with one licence. A renewal covers all of them (docs/decisions/proration.md). */
export function quantityToBeginWith(offer: { item: CatalogueItem } | Change): number {
  if (!("subscription" in offer)) return offer.item.minSeats;
  return offer.kind === "RENEW" ? offer.subscription.quantity : 1;
}
