/**
 * The calendar of a company's renewals, at an address that an owner creates, replaces or switches off. Calendar programs cannot
 * log in, so the address is the key: it is shown once, stored as a hash, opens only this calendar, and includes amounts only if
 * the owner wants them.
 */
import { createHash } from "node:crypto";
import ical, { type ICalEventData } from "ical-generator";
import type { Customer } from "#db/accounts/customers.ts";
import type { CustomerId, SubscriptionId, UserId } from "#db/ids.ts";
import {
  deleteFeed,
  type RenewalFeed,
  saveEventVersions,
  saveFeed,
  selectFeed,
  selectFeedByHash,
} from "#db/orders/renewal-feeds.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { findCustomer, requireMember } from "#server/accounts/customers.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { isLanguage, type LanguageId, standardLanguage } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { hashToken, newToken } from "#server/foundation/security/token.ts";
import { headerLine } from "#server/foundation/single-line.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import { licencesInUseText } from "#server/orders/subscriptions/licences-in-use.ts";
import type { Context } from "#server/platform/context.ts";
import { renewalChoiceText } from "./renewal-choice-text.ts";
import { renewalsOfYear, type UpcomingRenewal } from "./upcoming-renewals.ts";

/** Finds the company's calendar; null while it is switched off. */
export function feedOf(db: Db, customerId: CustomerId): Promise<RenewalFeed | null> {
  return selectFeed(db, customerId);
}

interface FeedRequest {
  customerId: CustomerId;
  by: UserId;
}

/**
 * Creates the calendar's address, replacing the earlier one.
 * @returns its token, which is stored only as a hash
 * @throws DomainError forbidden for anyone but an owner
 */
export async function makeFeed(
  trx: Trx,
  {
    customerId,
    by,
    withAmounts,
    language,
    now,
  }: FeedRequest & { withAmounts: boolean; language: string; now: Date },
): Promise<string> {
  await requireMember(trx, by, customerId, ["owner"]);
  const token = newToken();
  await saveFeed(trx, { customerId, hash: hashToken(token), withAmounts, language, createdAt: now });
  await recordAudit(trx, {
    userId: by,
    action: "renewal-feed.make",
    subject: `customer:${customerId}`,
    data: { withAmounts },
  });
  return token;
}

/** Switches the calendar off. @throws DomainError as makeFeed */
export async function endFeed(trx: Trx, { customerId, by }: FeedRequest): Promise<void> {
  await requireMember(trx, by, customerId, ["owner"]);
  await deleteFeed(trx, customerId);
  await recordAudit(trx, { userId: by, action: "renewal-feed.end", subject: `customer:${customerId}` });
}

/**
 * Renders the calendar that a token opens as iCalendar (RFC 5545); null for an unknown token. The same data gives the same
 * bytes. There is one event per subscription, so a changed end moves the event; its sequence number grows with each change,
 * because programs ignore changes otherwise.
 */
export async function readFeed(
  { db, env }: Pick<Context, "db" | "env">,
  token: string,
  now: Date,
): Promise<string | null> {
  const feed = await selectFeedByHash(db, hashToken(token));
  const company = feed === null ? null : await findCustomer(db, feed.customerId);
  if (feed === null || company === null) return null;
  const ahead = await renewalsOfYear(db, env.sellers, company, now);
  const language = isLanguage(feed.language) ? feed.language : standardLanguage;
  const store = { company, publicUrl: env.PUBLIC_URL };
  const events = new Map(
    ahead.map((renewal) => [renewal.subscription.id, eventOf(renewal, { ...feed, language }, store)]),
  );
  const versions = await saveEventVersions(db, hashesOf(events), now);
  const name = calendarText(textIn(language)("renewals.calendarName", { company: company.name }));
  const calendar = ical({ name, ttl: 12 * 3_600 });
  for (const [id, event] of events) {
    const { sequence, changedAt } = versions.get(id) ?? { sequence: 0, changedAt: now };
    calendar.createEvent({ ...event, sequence, stamp: changedAt, lastModified: changedAt });
  }
  return calendar.toString();
}

function hashesOf(events: ReadonlyMap<SubscriptionId, ICalEventData>): Map<SubscriptionId, string> {
  const hash = (event: ICalEventData) => createHash("sha256").update(JSON.stringify(event)).digest("hex");
  return new Map([...events].map(([id, event]) => [id, hash(event)]));
}

/**
 * Escapes a calendar's name (RFC 5545, TEXT), which the library does not. A name stored before line breaks were removed on
 * input may contain them.
 */
function calendarText(text: string): string {
  return headerLine(text).replaceAll(/[\\;,]/g, "\\$&");
}

/** Builds a renewal's event, without its version. */
function eventOf(
  { subscription, choice, inUse, seats, cost }: UpcomingRenewal,
  { withAmounts, language }: { withAmounts: boolean; language: LanguageId },
  { company, publicUrl }: { company: Pick<Customer, "country">; publicUrl: string },
): ICalEventData {
  const text = textIn(language);
  const { id, name: item, domain, quantity, end } = subscription;
  const url = `${publicUrl}${paths.renewalChoice(id)}`;
  const lines = [
    text("orders.licences", { count: quantity }),
    ...(inUse === null ? [] : [licencesInUseText(inUse, company.country, language)]),
    ...(choice === null ? [] : [renewalChoiceText(choice, company.country, language)]),
    ...(withAmounts && cost !== null && seats > 0
      ? [text("renewals.costsToday", { price: formatMoney(cost.total) })]
      : []),
    url,
  ];
  return {
    id: `${id}@${new URL(publicUrl).hostname}`,
    start: dateView(end, company.country).iso,
    allDay: true,
    summary: headerLine(text("renewals.calendarEvent", { name: item, domain })),
    description: lines.join("\n"),
    url,
  };
}
