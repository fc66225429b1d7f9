/** Facts for mails about a subscription's end, read at sending time so that they are up to date. */

import { parseId, type SubscriptionId } from "#db/ids.ts";
import { type Money, money } from "#db/money.ts";
import { type EndMailFacts, findEndMailFacts } from "#db/orders/due-subscriptions.ts";
import type { LicencesInUse } from "#db/orders/vendor-snapshots.ts";
import type { Country, FamilyId, Term } from "#db/tables/enums.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { getItem } from "#server/catalogue/items.ts";
import { assertNever } from "#server/foundation/errors.ts";
import { choiceOf, seatsChosenForNextTerm } from "#server/orders/renewal-choice.ts";
import { computeRenewalPrice, type RenewalPrice } from "#server/orders/renewal-forecast.ts";
import { daysLeft, renewalDays, renewalOpensAt } from "#server/orders/subscriptions/days.ts";
import { licencesInUse, suggestFewerLicences } from "#server/orders/subscriptions/licences-in-use.ts";
import type { SubscriptionMailKind } from "#server/orders/subscriptions/notify-members.ts";
import { priceTaxFor } from "#server/orders/supply.ts";
import type { Context } from "#server/platform/context.ts";

/** Kinds of mails about the end of a term. */
type OfEnd = Exclude<SubscriptionMailKind, "renewal-window">;

export interface SubscriptionEndFacts {
  subscriptionId: SubscriptionId;
  family: FamilyId;
  /** The plan's name. */
  name: string;
  domain: string;
  quantity: number;
  /** Number of licences that the company chose to renew; null when it has not chosen. */
  chosen: number | null;
  /** Number of licences assigned to people; null when the vendor does not report it. */
  inUse: LicencesInUse | null;
  /** Saving when only those are renewed; null when there is none, or fewer cannot be renewed. */
  saving: Money | null;
  term: Term;
  /** The company's country, which decides the time zone of dates. */
  country: Country;
  end: Date;
  /** End of the vendor's paid extension after the term; null when there is none. */
  extendedUntil: Date | null;
  /** Whole days, rounded up; 0 once the term is over. */
  daysLeft: number;
  /** Time at which the renewal opens; null once it has. */
  opens: Date | null;
  /**
   * Today's price of another term for these licences, or for the chosen number; null when they are no longer sold on these terms.
   */
  cost: Pick<RenewalPrice, "subtotal" | "total" | "priceTax"> | null;
}

/** @returns null when the subscription has been renewed, cancelled or expired since, so that the mail is pointless */
export async function readSubscriptionEndFacts(
  context: Pick<Context, "db" | "env">,
  kind: OfEnd,
  data: Readonly<Record<string, string>>,
  now: Date,
): Promise<SubscriptionEndFacts | null> {
  const id = parseId<SubscriptionId>(data.subscriptionId);
  const subscription = id === null ? null : await findEndMailFacts(context.db, id);
  if (subscription === null || subscription.end.toISOString() !== data.end) return null;
  const left = daysLeft(subscription.end, now);
  if (!isTrue(kind, subscription, left)) return null;
  const choice = await choiceOf(context.db, subscription.id);
  // A subscription that is to end gets no more letters, except for the last one.
  if (kind === "renewal-reminder" && choice?.decision === "stop") return null;
  const chosen =
    choice === null || choice.decision === "stop" ? null : seatsChosenForNextTerm(subscription, choice);
  const inUse = (await licencesInUse(context.db, [subscription])).get(subscription.id) ?? null;
  const costOf = async (quantity: number) =>
    subscription.isSold ? costNow(context, { ...subscription, quantity }, now) : null;
  const cost = await costOf(chosen ?? subscription.quantity);
  const needed =
    chosen !== null || families[subscription.family].renewsAllSeats
      ? null
      : suggestFewerLicences(subscription, inUse);
  const costOfNeeded = needed === null ? null : await costOf(needed);
  return {
    subscriptionId: subscription.id,
    family: subscription.family,
    name: subscription.name,
    domain: subscription.domain,
    quantity: subscription.quantity,
    chosen,
    inUse,
    saving:
      cost === null || costOfNeeded === null
        ? null
        : money(cost.total.minor - costOfNeeded.total.minor, cost.total.currency),
    term: subscription.term,
    country: subscription.country,
    end: subscription.end,
    extendedUntil: subscription.extendedUntil,
    daysLeft: left,
    opens: left > renewalDays ? renewalOpensAt(subscription.end) : null,
    cost,
  };
}

async function costNow(
  { db, env }: Pick<Context, "db" | "env">,
  subscription: EndMailFacts,
  now: Date,
): Promise<RenewalPrice | null> {
  const { country, customerId, itemId } = subscription;
  const pricedFor = { country, account: null, customerId };
  const tax = await priceTaxFor(db, env.sellers, pricedFor, now);
  return computeRenewalPrice(await getItem(db, itemId), subscription, tax);
}

function isTrue(kind: OfEnd, { status, extendedUntil }: EndMailFacts, left: number): boolean {
  switch (kind) {
    case "subscription-ended":
      return status === "expired";
    case "subscription-extended":
      return extendedUntil !== null;
    case "renewal-reminder":
    case "terms-reminder":
      return status === "active" && left > 0;
    default:
      return assertNever(kind);
  }
}
