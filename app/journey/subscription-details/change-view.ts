/** Describes the subscription that is being changed in the first step. */

import type { Subscription } from "#db/orders/subscriptions.ts";
import type { BillingCycle, Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { CatalogueItem } from "#server/catalogue/items.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { translate } from "#server/foundation/languages/text.ts";
import { choiceOf, seatsChosenForNextTerm } from "#server/orders/renewal-choice.ts";
import {
  type ChangeKind,
  mustRenewAllSeats,
  renewsAll,
  seatPrice,
} from "#server/orders/subscription-change.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { isRunning } from "#server/orders/subscriptions/subscription.ts";
import { anchorDayOf, renewedTerm } from "#server/orders/subscriptions/term.ts";
import type { TaxTexts } from "#server/orders/tax-texts.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { daysLeftText } from "../order-labels.ts";
import type { DetailsView } from "./details-form.tsx";

type Said = Pick<RequestContext, "text" | "language">;

interface Change {
  kind: ChangeKind;
  item: CatalogueItem;
  country: Country;
  subscription: Subscription;
}

/**
 * @param tax sentence about the tax that the review adds
 * @param now a time at which the change is possible
 */
export function changeSummary(
  { kind, item, country, subscription }: Change,
  tax: TaxTexts,
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
          days: daysLeftText(proration, text),
          tax: tax.before,
        }),
      },
    ];
  }
  const anchorDay = anchorDayOf(subscription, country);
  const next = renewedTerm({ ...subscription, anchorDay }, now, country);
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
      value: `${perUserPrice(price, selection.billingCycle, text)}${tax.before}`,
    },
  ];
}

/** "₹8,748 user/year". */
export function perUserPrice(price: string, cycle: BillingCycle, text: Translate): string {
  return text(cycle === "annual" ? "steps.pricePerYear" : "steps.pricePerMonth", { price });
}

export function changeRule({ kind, item, subscription }: Change, { text, language }: Said): string {
  const { quantity } = subscription;
  if (kind === "ADD") {
    return item.maxSeats === null
      ? text("steps.howManyToAdd")
      : text("steps.howManyOfMost", { held: quantity, most: item.maxSeats });
  }
  if (mustRenewAllSeats(subscription, new Date()))
    return translate(language, renewsAll(subscription, quantity));
  return text("steps.howManyToRenew");
}

/** Buy more begins with one licence. A renewal covers all of them (docs/decisions/prices.md#proration), or as many as the company has said. */
export async function defaultQuantity(db: Db, offer: { item: CatalogueItem } | Change): Promise<number> {
  if (!("subscription" in offer)) return offer.item.minSeats;
  if (offer.kind !== "RENEW") return 1;
  const { subscription } = offer;
  return seatsChosenForNextTerm(subscription, await choiceOf(db, subscription.id)) || subscription.quantity;
}
