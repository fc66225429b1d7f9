/** What a mail about a subscription's end says: read when it is sent, so that it is true then. */
import { findNoticeRow, type NoticeRow } from "#db/due-subscriptions.ts";
import { parseId, type SubscriptionId } from "#db/ids.ts";
import type { Country, MailKind, Term } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { getItem } from "#server/catalogue/items.ts";
import { DomainError } from "#server/errors.ts";
import { domainOfCustomer } from "#server/families/family.ts";
import { priceSelection } from "#server/orders/pricing.ts";
import type { Quote } from "#server/pricing/quote.ts";
import { daysLeft } from "./days.ts";

export type NoticeKind = Extract<MailKind, "renewal-reminder" | "subscription-ended">;

export interface Notice {
  subscriptionId: SubscriptionId;
  /** Of the plan. */
  name: string;
  domain: string;
  quantity: number;
  term: Term;
  /** The company's: it decides the zone of dates. */
  country: Country;
  end: Date;
  /** Whole days, rounded up; 0 once it is over. */
  daysLeft: number;
  /** What a term more of the same licences costs today; null when it is not sold so any more. */
  cost: Pick<Quote, "subtotal" | "tax" | "total"> | null;
}

/** The facts a mail is asked for with: which subscription, and which end of it. */
export function noticeData(subscription: { id: SubscriptionId; end_date: Date }): Record<string, string> {
  return { subscriptionId: subscription.id, end: subscription.end_date.toISOString() };
}

/** @returns null when it has been renewed, cancelled or expired since: the mail has lost its point */
export async function noticeOf(
  db: Db,
  kind: NoticeKind,
  data: Readonly<Record<string, string>>,
  now: Date,
): Promise<Notice | null> {
  const id = parseId<SubscriptionId>(data.subscriptionId);
  const row = id === null ? null : await findNoticeRow(db, id);
  if (row === null || row.end_date.toISOString() !== data.end) return null;
  const left = daysLeft(row.end_date, now);
  const isTrue = kind === "renewal-reminder" ? row.status === "active" && left > 0 : row.status === "expired";
  if (!isTrue) return null;
  return {
    subscriptionId: row.id,
    name: row.item_name,
    domain: row.domain,
    quantity: row.quantity,
    term: row.term,
    country: row.country,
    end: row.end_date,
    daysLeft: left,
    cost: await costOfRenewal(db, row),
  };
}

async function costOfRenewal(db: Db, row: NoticeRow): Promise<Notice["cost"]> {
  if (!row.item_active) return null;
  const item = await getItem(db, row.item_id);
  try {
    return priceSelection(item, row.country, {
      term: row.term,
      billingCycle: row.billing_cycle,
      quantity: row.quantity,
      // The sign-up price is for newcomers.
      google: domainOfCustomer(item.family, row.domain),
    });
  } catch (error) {
    // Bought elsewhere, it may have a term or a number of licences that we do not sell.
    if (error instanceof DomainError) return null;
    throw error;
  }
}
