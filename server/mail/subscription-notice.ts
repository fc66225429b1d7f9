/** The facts for mails about a subscription's end, read at sending time so that they are up to date. */
import { findToTell, type SubscriptionToTell } from "#db/due-subscriptions.ts";
import { parseId, type SubscriptionId } from "#db/ids.ts";
import type { Country, FamilyId, Term } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { getItem } from "#server/catalogue/items.ts";
import { DomainError, unreachable } from "#server/errors.ts";
import { domainOfCustomer } from "#server/families/family.ts";
import { priceSelection } from "#server/orders/pricing.ts";
import type { Quote } from "#server/pricing/quote.ts";
import { daysLeft } from "#server/subscriptions/days.ts";
import type { NoticeKind } from "#server/subscriptions/owners.ts";

export interface Notice {
  subscriptionId: SubscriptionId;
  family: FamilyId;
  /** The plan's name. */
  name: string;
  domain: string;
  quantity: number;
  term: Term;
  /** The company's country, which decides the time zone of dates. */
  country: Country;
  end: Date;
  /** The end of the vendor's paid extension after it; null when there is none. */
  extendedUntil: Date | null;
  /** Whole days, rounded up; 0 once it is over. */
  daysLeft: number;
  /** Today's price of another term of the same licences; null when they are no longer sold like this. */
  cost: Pick<Quote, "subtotal" | "tax" | "total"> | null;
}

/** @returns null when it has been renewed, cancelled or expired since, so that the mail is pointless */
export async function noticeOf(
  db: Db,
  kind: NoticeKind,
  data: Readonly<Record<string, string>>,
  now: Date,
): Promise<Notice | null> {
  const id = parseId<SubscriptionId>(data.subscriptionId);
  const subscription = id === null ? null : await findToTell(db, id);
  if (subscription === null || subscription.end.toISOString() !== data.end) return null;
  const left = daysLeft(subscription.end, now);
  if (!isTrue(kind, subscription, left)) return null;
  return {
    subscriptionId: subscription.id,
    family: subscription.family,
    name: subscription.name,
    domain: subscription.domain,
    quantity: subscription.quantity,
    term: subscription.term,
    country: subscription.country,
    end: subscription.end,
    extendedUntil: subscription.extendedUntil,
    daysLeft: left,
    cost: await costOfRenewal(db, subscription),
  };
}

function isTrue(kind: NoticeKind, { status, extendedUntil }: SubscriptionToTell, left: number): boolean {
  switch (kind) {
    case "subscription-ended":
      return status === "expired";
    case "subscription-extended":
      return extendedUntil !== null;
    case "renewal-reminder":
    case "terms-reminder":
      return status === "active" && left > 0;
    default:
      return unreachable(kind);
  }
}

async function costOfRenewal(db: Db, subscription: SubscriptionToTell): Promise<Notice["cost"]> {
  if (!subscription.isSold) return null;
  const item = await getItem(db, subscription.itemId);
  try {
    return priceSelection(item, subscription.country, {
      term: subscription.term,
      billingCycle: subscription.billingCycle,
      quantity: subscription.quantity,
      // The sign-up price is for new customers only.
      google: domainOfCustomer(item.family, subscription.domain),
    });
  } catch (error) {
    // A synced subscription may have a term or a number of licences that we do not sell.
    if (error instanceof DomainError) return null;
    throw error;
  }
}
