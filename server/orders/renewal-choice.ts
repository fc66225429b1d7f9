/**
 * What a company says will become of a subscription at the end of its term: keep all licences, fewer, or let it end. It is kept, shown and
 * begun with when the renewal is ordered, and changes nothing by itself: nothing is renewed that nobody paid for, and letters stop where it is
 * to end (docs/decisions/renewal.md).
 */
import type { CustomerId, SubscriptionId, UserId } from "#db/ids.ts";
import { deleteChoice, type RenewalChoice, saveChoice, selectChoices } from "#db/orders/renewal-choices.ts";
import { listChangesUnderWay } from "#db/orders/subscription-lists.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { buyingRoles, findMembership, requireMember } from "#server/accounts/customers.ts";
import { readRenewalToken } from "#server/accounts/one-time-tokens.ts";
import { findUser } from "#server/accounts/users.ts";
import { isSameEnd } from "#server/catalogue/families/same-end.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, wrongField } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { localisedDate } from "#server/orders/subscriptions/dates.ts";
import { choiceDays, choiceOpensAt, daysLeft, hasEnded } from "#server/orders/subscriptions/days.ts";
import { findSubscription, lockSubscription } from "#server/orders/subscriptions/subscription.ts";
import { mustRenewAllSeats, renewsAll, whyNotChangeable } from "./subscription-change.ts";

/** What is said: to keep all, so many, or none. */
export type RenewalChoiceInput = { decision: "keep" | "stop" } | { decision: "fewer"; seats: number };

/** Who says it: a user, with a login or by the link that was mailed to them. */
export interface RenewalChoiceAuthor {
  userId: UserId;
  byLink: boolean;
}

/** Why nothing can be said of its end now, in words for the buyer; null when it can. */
export function whyNoChoice(
  subscription: Pick<Subscription, "family" | "status" | "start" | "end" | "next" | "isSuspended">,
  country: Country,
  now: Date,
): MessageDescriptor | null {
  const { end, status } = subscription;
  if (status === "expired" || (status === "active" && hasEnded(subscription, now)))
    return msg("renewals.ended");
  const refused = whyNotChangeable("RENEW", subscription, country, now);
  if (refused === null) return null;
  // That the renewal is not open yet is no reason, once the first letter may have come.
  const isAhead = status === "active" && !subscription.isSuspended && subscription.next === null;
  if (!isAhead) return refused;
  if (daysLeft(end, now) <= choiceDays) return null;
  return msg("renewals.choiceOpens", { date: localisedDate(choiceOpensAt(end), country), days: choiceDays });
}

/** Why a renewal cannot be for fewer licences; null when it can. */
export function whyNotReducible(subscription: Subscription, now: Date): MessageDescriptor | null {
  if (mustRenewAllSeats(subscription, now)) return renewsAll(subscription, subscription.quantity);
  return subscription.quantity > 1 ? null : msg("renewals.oneLicence");
}

/** What was said of these subscriptions' running terms, by the subscription's id. */
export function readRenewalChoices(
  db: Db,
  subscriptions: readonly { id: SubscriptionId }[],
): Promise<ReadonlyMap<string, RenewalChoice>> {
  return selectChoices(
    db,
    subscriptions.map(({ id }) => id),
  );
}

export async function choiceOf(db: Db, id: SubscriptionId): Promise<RenewalChoice | null> {
  return (await selectChoices(db, [id])).get(id) ?? null;
}

/** How many licences the next term is to have; 0 where it is to end. All of them, where nothing was said. */
export function seatsChosenForNextTerm(
  { quantity }: Pick<Subscription, "quantity">,
  choice: Pick<RenewalChoice, "decision" | "seats"> | null,
): number {
  if (choice?.decision === "stop") return 0;
  return choice?.decision === "fewer" ? (choice.seats ?? quantity) : quantity;
}

/**
 * Writes a choice down, in the place of the one before.
 * @throws DomainError conflict when nothing can be said of its end now; bad_request on `seats`
 */
export async function chooseRenewal(
  trx: Trx,
  id: SubscriptionId,
  choosing: RenewalChoiceInput,
  by: RenewalChoiceAuthor,
  now: Date,
): Promise<Subscription> {
  const subscription = await lockOpen(trx, id, by, now);
  const { decision } = choosing;
  const seats = decision === "fewer" ? choosing.seats : null;
  if (seats !== null) {
    const refused = whyNotReducible(subscription, now);
    if (refused !== null) throw wrongField("seats", refused);
    if (seats >= subscription.quantity)
      throw wrongField("seats", msg("renewals.seatsMost", { count: subscription.quantity - 1 }));
  }
  const { userId: chosenBy, byLink } = by;
  await saveChoice(trx, id, { decision, seats, chosenAt: now, chosenBy, byLink });
  await recordSaid(trx, id, by, "renewal.choose", { decision, seats });
  return subscription;
}

/** Takes a choice back: letters go out again. @throws DomainError conflict when nothing can be said of its end now */
export async function withdrawRenewalChoice(
  trx: Trx,
  id: SubscriptionId,
  by: RenewalChoiceAuthor,
  now: Date,
): Promise<void> {
  await lockOpen(trx, id, by, now);
  if (await deleteChoice(trx, id)) await recordSaid(trx, id, by, "renewal.undo", {});
}

/** @throws DomainError not_found or forbidden unless the chooser may buy for the company */
async function lockOpen(
  trx: Trx,
  id: SubscriptionId,
  { userId }: RenewalChoiceAuthor,
  now: Date,
): Promise<Subscription> {
  const subscription = await lockSubscription(trx, id);
  await requireMember(trx, userId, subscription.customerId, buyingRoles);
  const refused = whyNoChoice(subscription, subscription.country, now);
  if (refused !== null) throw new DomainError("conflict", refused);
  if ((await listChangesUnderWay(trx, id, "RENEW")).length > 0)
    throw new DomainError("conflict", msg("renewals.underWay"));
  return subscription;
}

function recordSaid(
  trx: Trx,
  id: SubscriptionId,
  { userId, byLink }: RenewalChoiceAuthor,
  action: string,
  data: Readonly<Record<string, string | number | null>>,
): Promise<void> {
  return recordAudit(trx, { userId, action, subject: `subscription:${id}`, data: { ...data, byLink } });
}

/**
 * The subscription of a letter's link, and whom the letter was mailed to.
 * @returns null when its term is another by now or over, and when its reader may not buy for the company any more
 */
export async function subscriptionOfLink(
  db: Db,
  token: string,
): Promise<{ subscription: Subscription; userId: UserId; customerId: CustomerId } | null> {
  const link = await readRenewalToken(db, token);
  const subscription = link === null ? null : await findSubscription(db, link.subscriptionId);
  if (link === null || subscription === null) return null;
  if (!isSameEnd(link.end.toISOString(), subscription.end)) return null;
  const { userId } = link;
  const { customerId } = subscription;
  const [membership, user] = [await findMembership(db, userId, customerId), await findUser(db, userId)];
  const mayBuy = membership !== null && buyingRoles.includes(membership.role);
  const isOpen = user !== null && user.disabledAt === null && user.lockedAt === null;
  return mayBuy && isOpen ? { subscription, userId, customerId } : null;
}
