/**
 * A company's choice for the end of a subscription's term: keep all licences, keep fewer, or stop. It is shown with the
 * subscription and preselected in the renewal order, but changes nothing at the vendor: a term is renewed only if it is paid
 * for. Reminders end for a subscription that is
 * to end (docs/decisions/renewal.md#renewal-mails).
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

/** The choice: keep all licences, keep fewer, or stop. */
export type RenewalChoiceInput = { decision: "keep" | "stop" } | { decision: "fewer"; seats: number };

/** The user who chooses, logged in or with the mailed link. */
export interface RenewalChoiceAuthor {
  userId: UserId;
  byLink: boolean;
}

/** Returns the reason, for the buyer, why no choice is possible now; null when it is. */
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
  // Choices open before the renewal does, as soon as the first reminder may have been sent.
  const isAhead = status === "active" && !subscription.isSuspended && subscription.next === null;
  if (!isAhead) return refused;
  if (daysLeft(end, now) <= choiceDays) return null;
  return msg("renewals.choiceOpens", { date: localisedDate(choiceOpensAt(end), country), days: choiceDays });
}

/** Returns the reason why a renewal cannot be for fewer licences; null when it can. */
export function whyNotReducible(subscription: Subscription, now: Date): MessageDescriptor | null {
  if (mustRenewAllSeats(subscription, now)) return renewsAll(subscription, subscription.quantity);
  return subscription.quantity > 1 ? null : msg("renewals.oneLicence");
}

/** Reads the choices for the running terms of these subscriptions, keyed by subscription id. */
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

/** Returns the number of licences of the next term: 0 for "stop", all of them without a choice. */
export function seatsChosenForNextTerm(
  { quantity }: Pick<Subscription, "quantity">,
  choice: Pick<RenewalChoice, "decision" | "seats"> | null,
): number {
  if (choice?.decision === "stop") return 0;
  return choice?.decision === "fewer" ? (choice.seats ?? quantity) : quantity;
}

/**
 * Saves a choice, replacing the earlier one.
 * @throws DomainError conflict when no choice is possible now; bad_request on `seats`
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

/** Withdraws a choice, so that reminders are sent again. @throws DomainError conflict when no choice is possible now */
export async function withdrawRenewalChoice(
  trx: Trx,
  id: SubscriptionId,
  by: RenewalChoiceAuthor,
  now: Date,
): Promise<void> {
  await lockOpen(trx, id, by, now);
  if (await deleteChoice(trx, id)) await recordSaid(trx, id, by, "renewal.undo", {});
}

/**
 * Locks a subscription for which a choice is possible.
 * @throws DomainError not_found or forbidden unless the user may buy for the company; conflict when no choice is possible now
 */
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
 * Finds the subscription and the recipient of a reminder's link.
 * @returns null when the term has changed or ended, or the recipient may no longer buy for the company
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
