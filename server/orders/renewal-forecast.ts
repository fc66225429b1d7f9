/**
 * Costs of a company's renewals at today's prices: of one, and of all in the next twelve months. Only a forecast,
 * for nothing renews by itself (docs/decisions/renewal.md#forecast-and-calendar).
 */

import type { MonthAmount } from "#db/billing/spend.ts";
import type { CustomerId } from "#db/ids.ts";
import type { RenewalChoice } from "#db/orders/renewal-choices.ts";
import { listEndingBefore } from "#db/orders/subscription-lists.ts";
import type { ListedSubscription, Subscription } from "#db/orders/subscriptions.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { domainOfCustomer } from "#server/catalogue/families/registry.ts";
import { type CatalogueItem, findOwnedItems } from "#server/catalogue/items.ts";
import { type MonthSums, monthsAround, sumByMonth } from "#server/catalogue/pricing/months.ts";
import type { Quote } from "#server/catalogue/pricing/quote.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { startOfDay, zonedMonth } from "#server/orders/subscriptions/dates.ts";
import { isReminderDue } from "#server/orders/subscriptions/renewal-reminders.ts";
import { anchorDayOf, endOfTerm } from "#server/orders/subscriptions/term.ts";
import { priceSelection } from "./pricing.ts";
import { type PriceTax, priceTaxFor, type SellersByCountry } from "./supply.ts";

export interface RenewalForecast {
  /**
   * Sums per currency and month, before tax, over twelve months: from this month, or from the next when nothing ends in this
   * one. A monthly term counts every month.
   */
  sums: MonthSums[];
  /** Subscriptions to renew now, first to end first. */
  due: { subscription: ListedSubscription; cost: RenewalPrice | null }[];
  /** Number of subscriptions without a current price, which are in no sum. */
  unpriced: number;
}

/** Lists the subscriptions that end in the next twelve months. */
export function listEndingWithinYear(
  db: Db,
  customerId: CustomerId,
  { country, family, now }: { country: Country; family: FamilyId | null; now: Date },
): Promise<ListedSubscription[]> {
  return listEndingBefore(db, customerId, { family, now, until: endOfAhead(country, now) });
}

/** Returns the end of the twelfth month after this one. */
function endOfAhead(country: Country, now: Date): Date {
  return startOfDay(`${monthsAround(zonedMonth(now, country), { after: 13 }).at(-1)}-01`, country);
}

/**
 * Forecasts the renewals of a company.
 * @param ending the subscriptions that end in the next twelve months
 * @param costs their current prices by id
 * @param choices renewal choices by id; a subscription to stop is neither due nor in a sum
 * @param country of the company; it decides the time zone of the months
 */
export function forecastRenewals(
  ending: readonly ListedSubscription[],
  costs: ReadonlyMap<string, RenewalPrice | null>,
  choices: ReadonlyMap<string, Pick<RenewalChoice, "decision">>,
  { country, now }: { country: Country; now: Date },
): RenewalForecast {
  const thisMonth = zonedMonth(now, country);
  const until = endOfAhead(country, now);
  const goingOn = ending.filter(({ id }) => choices.get(id)?.decision !== "stop");
  const counted = goingOn.filter(({ isSuspended }) => !isSuspended);
  const endsIn = (month: string) => counted.some(({ end }) => zonedMonth(end, country) === month);
  // An annual term that began today ends in the twelfth month after this one, which is shown unless this month takes the place.
  const months = monthsAround(thisMonth, { after: 12 })
    .slice(endsIn(thisMonth) ? 0 : 1)
    .slice(0, 12);
  const amounts = counted.flatMap((subscription): MonthAmount[] => {
    const amount = costs.get(subscription.id)?.subtotal;
    if (amount === undefined) return [];
    return endsBefore(subscription, until).map((end) => ({ month: zonedMonth(end, country), amount }));
  });
  return {
    sums: sumByMonth(months, amounts),
    due: goingOn
      .filter((subscription) => isReminderDue(subscription, now))
      .map((subscription) => ({ subscription, cost: costs.get(subscription.id) ?? null })),
    unpriced: counted.filter(
      ({ id, end }) => costs.get(id) === null && months.includes(zonedMonth(end, country)),
    ).length,
  };
}

/** Lists the ends of its terms before `until`, if each is renewed. */
function endsBefore(
  subscription: Pick<Subscription, "start" | "end" | "next" | "anchorDay" | "term" | "country">,
  until: Date,
): Date[] {
  const ends: Date[] = [];
  const { end, term, country } = subscription;
  const anchorDay = anchorDayOf(subscription, country);
  for (let each = end; each < until; each = endOfTerm(each, term, country, anchorDay)) ends.push(each);
  return ends;
}

type Renewable = Pick<
  Subscription,
  "id" | "itemId" | "country" | "domain" | "quantity" | "term" | "billingCycle"
>;

/** A price with its tax, which is needed to label it. */
export type RenewalPrice = Quote & { priceTax: PriceTax };

/** Computes the current price of another term of each of a company's subscriptions, keyed by id. */
export async function readRenewalPrices(
  db: Db,
  sellers: SellersByCountry,
  customerId: CustomerId,
  subscriptions: readonly Renewable[],
): Promise<ReadonlyMap<string, RenewalPrice | null>> {
  const pricedIn = [...new Set(subscriptions.map(({ country }) => country))];
  const [items, ...known] = await Promise.all([
    findOwnedItems(
      db,
      subscriptions.map(({ itemId }) => itemId),
    ),
    ...pricedIn.map((country) =>
      priceTaxFor(db, sellers, { country, account: null, customerId }, new Date()),
    ),
  ]);
  const taxes = new Map<Country, PriceTax>(known.map((tax) => [tax.country, tax]));
  return new Map(
    subscriptions.map((subscription) => {
      const item = items.get(subscription.itemId);
      const tax = taxes.get(subscription.country);
      const isPriced = item !== undefined && tax !== undefined;
      return [subscription.id, isPriced ? computeRenewalPrice(item, subscription, tax) : null];
    }),
  );
}

/**
 * Computes the current price of another term of the same licences.
 * @returns null for a synced subscription with a term or quantity that we do not sell
 */
export function computeRenewalPrice(
  item: CatalogueItem,
  { country, domain, quantity, term, billingCycle }: Omit<Renewable, "id" | "itemId">,
  priceTax: PriceTax,
): RenewalPrice | null {
  try {
    // The sign-up price is for new customers only.
    const google = domainOfCustomer(item.family, domain);
    const selection = { term, billingCycle, quantity, google };
    return { ...priceSelection(item, country, selection, priceTax.rateBasisPoints), priceTax };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
