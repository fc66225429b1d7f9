/** A company's renewals of the next twelve months, each with what was said of it, what is in use and what it costs today. */
import type { CustomerId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import type { RenewalChoice } from "#db/renewal-choices.ts";
import type { SubscriptionListed } from "#db/subscriptions.ts";
import type { Country, Currency } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import type { LicencesInUse } from "#db/vendor-readings.ts";
import { licencesInUse } from "#server/subscriptions/licences-in-use.ts";
import { choicesOf, seatsAhead } from "./renewal-choice.ts";
import { costsOfRenewal, listEndingAhead, type RenewalCost } from "./renewals-ahead.ts";
import type { SellersByCountry } from "./supply.ts";

export interface RenewalAhead {
  subscription: SubscriptionListed;
  choice: RenewalChoice | null;
  inUse: LicencesInUse | null;
  /** Of the next term, as far as the company has said; 0 where it is to end. */
  seats: number;
  /** Today's price of that term; null where there is none, or nothing to pay. */
  cost: RenewalCost | null;
}

/** The first to end at the top. A term of a month is there once, with its next end. */
export async function renewalsOfYear(
  db: Db,
  sellers: SellersByCountry,
  { id, country }: { id: CustomerId; country: Country },
  now: Date,
): Promise<RenewalAhead[]> {
  const ending = await listEndingAhead(db, id, { country, family: null, now });
  const [choices, inUse] = await Promise.all([choicesOf(db, ending), licencesInUse(db, ending)]);
  const ahead = ending.map((subscription) => {
    const choice = choices.get(subscription.id) ?? null;
    return { subscription, choice, seats: seatsAhead(subscription, choice) };
  });
  const priced = ahead.flatMap(({ subscription, seats }) =>
    seats === 0 ? [] : [{ ...subscription, quantity: seats }],
  );
  const costs = await costsOfRenewal(db, sellers, id, priced);
  return ahead.map((each) => ({
    ...each,
    inUse: inUse.get(each.subscription.id) ?? null,
    cost: costs.get(each.subscription.id) ?? null,
  }));
}

/** What renewals cost together at today's prices, in each currency. */
export function costTogether(renewals: readonly RenewalAhead[]): Money[] {
  const sums = new Map<Currency, number>();
  for (const { cost } of renewals) {
    if (cost === null) continue;
    const { currency, minor } = cost.total;
    sums.set(currency, (sums.get(currency) ?? 0) + minor);
  }
  return [...sums].map(([currency, minor]) => money(minor, currency));
}
