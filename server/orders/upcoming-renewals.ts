/** A company's renewals in the next twelve months, with the choice made, the licences in use and the current price. */
import type { CustomerId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { RenewalChoice } from "#db/orders/renewal-choices.ts";
import type { ListedSubscription } from "#db/orders/subscriptions.ts";
import type { LicencesInUse } from "#db/orders/vendor-snapshots.ts";
import type { Country, Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { licencesInUse } from "#server/orders/subscriptions/licences-in-use.ts";
import { readRenewalChoices, seatsChosenForNextTerm } from "./renewal-choice.ts";
import { listEndingWithinYear, type RenewalPrice, readRenewalPrices } from "./renewal-forecast.ts";
import type { SellersByCountry } from "./supply.ts";

export interface UpcomingRenewal {
  subscription: ListedSubscription;
  choice: RenewalChoice | null;
  inUse: LicencesInUse | null;
  /** Licences of the next term by the company's choice; 0 for "stop". */
  seats: number;
  /** Current price of that term; null when there is no price, or nothing to pay. */
  cost: RenewalPrice | null;
}

/** Lists the renewals, first to end first. A monthly subscription is listed once, with its next end. */
export async function renewalsOfYear(
  db: Db,
  sellers: SellersByCountry,
  { id, country }: { id: CustomerId; country: Country },
  now: Date,
): Promise<UpcomingRenewal[]> {
  const ending = await listEndingWithinYear(db, id, { country, family: null, now });
  const [choices, inUse] = await Promise.all([readRenewalChoices(db, ending), licencesInUse(db, ending)]);
  const ahead = ending.map((subscription) => {
    const choice = choices.get(subscription.id) ?? null;
    return { subscription, choice, seats: seatsChosenForNextTerm(subscription, choice) };
  });
  const priced = ahead.flatMap(({ subscription, seats }) =>
    seats === 0 ? [] : [{ ...subscription, quantity: seats }],
  );
  const costs = await readRenewalPrices(db, sellers, id, priced);
  return ahead.map((each) => ({
    ...each,
    inUse: inUse.get(each.subscription.id) ?? null,
    cost: costs.get(each.subscription.id) ?? null,
  }));
}

/** Sums the current prices of renewals, by currency. */
export function sumRenewalPrices(renewals: readonly UpcomingRenewal[]): Money[] {
  const sums = new Map<Currency, number>();
  for (const { cost } of renewals) {
    if (cost === null) continue;
    const { currency, minor } = cost.total;
    sums.set(currency, (sums.get(currency) ?? 0) + minor);
  }
  return [...sums].map(([currency, minor]) => money(minor, currency));
}
