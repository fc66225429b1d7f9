/** How the first step describes a subscription that is being changed. */

import type { Subscription } from "#db/subscriptions.ts";
import type { BillingCycle, Country } from "#db/tables/enums.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { countries } from "#server/countries/country.ts";
import type { LanguageId } from "#server/languages/language.ts";
import type { Text } from "#server/languages/messages.ts";
import { type ChangeKind, isRenewedWhole, renewsAll, seatPrice } from "#server/orders/subscription-change.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import { isRunning } from "#server/subscriptions/subscription.ts";
import { renewedTerm } from "#server/subscriptions/term.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { daysWords } from "../order-words.ts";
import type { DetailsView } from "./details-form.tsx";

type Said = Pick<RequestContext, "text" | "language">;

interface Change {
  kind: ChangeKind;
  item: CatalogueItem;
  country: Country;
  subscription: Subscription;
}

/** @param now a time at which the change is possible */
export function changeFacts(
  { kind, item, country, subscription }: Change,
  { text, language }: Said,
  now: Date,
): DetailsView["facts"] {
  const { domain, quantity, end, extendedUntil } = subscription;
  const date = (moment: Date) => formatDate(moment, country, language);
  const { price: money, selection } = seatPrice(kind, { item, country, subscription }, now);
  const price = formatMoney(money);
  const { proration } = selection;
  if (proration !== undefined) {
    return [
      { label: text("steps.domain"), value: domain },
      {
        label: text("steps.youHave"),
        value: text("steps.until", {
          licences: text("orders.licences", { count: quantity }),
          date: date(end),
        }),
      },
      {
        label: text("steps.priceUntilThen"),
        value: text("steps.priceForDays", {
          price,
          days: daysWords(proration, text),
          tax: beforeTax(country, language),
        }),
      },
    ];
  }
  const next = renewedTerm(subscription, now);
  return [
    { label: text("steps.domain"), value: domain },
    { label: text(isRunning(subscription, now) ? "steps.ends" : "steps.ended"), value: date(end) },
    ...(extendedUntil === null
      ? []
      : [
          {
            label: text("steps.extended"),
            value: text("steps.extendedTo", { date: date(extendedUntil) }),
          },
        ]),
    {
      label: text("steps.newTerm"),
      value: text("steps.fromTo", { from: date(next.start), to: date(next.end) }),
    },
    {
      label: text("steps.priceOfLicence"),
      value: `${perUserPrice(price, selection.billingCycle, text)}${beforeTax(country, language)}`,
    },
  ];
}

/** Says that prices exclude the tax that the review adds. */
export function beforeTax(country: Country, language: LanguageId): string {
  return countries[country].words[language].beforeTax;
}

/** "₹8,748 user/year". */
export function perUserPrice(price: string, cycle: BillingCycle, text: Text): string {
  return text(cycle === "annual" ? "steps.pricePerYear" : "steps.pricePerMonth", { price });
}

export function changeRule({ kind, item, subscription }: Change, text: Text): string {
  const { quantity } = subscription;
  if (kind === "ADD") {
    return item.maxSeats === null
      ? text("steps.howManyToAdd")
      : text("steps.howManyOfMost", { held: quantity, most: item.maxSeats });
  }
  if (isRenewedWhole(subscription, new Date())) return renewsAll(subscription, quantity);
  return text("steps.howManyToRenew");
}

/** Buy more begins with one licence. A renewal covers all of them (docs/decisions/proration.md). */
export function quantityToBeginWith(offer: { item: CatalogueItem } | Change): number {
  if (!("subscription" in offer)) return offer.item.minSeats;
  return offer.kind === "RENEW" ? offer.subscription.quantity : 1;
}
