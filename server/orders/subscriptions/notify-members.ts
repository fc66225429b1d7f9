/** Mails to a company's members about a subscription, and the permission that decides who receives each. */

import { selectWithRoles } from "#db/accounts/members.ts";
import type { SubscriptionId } from "#db/ids.ts";
import type { EndingSubscription, StartedTerm } from "#db/orders/due-subscriptions.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { rolesThatMay } from "#server/accounts/roles.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { queueOwnMail } from "#server/foundation/outbox/mail.ts";

export type SubscriptionMailKind = Extract<
  MailKind,
  "renewal-reminder" | "renewal-window" | "subscription-ended" | "subscription-extended" | "terms-reminder"
>;

/** Required permission. Only owners can accept a vendor's terms. */
const readers: Readonly<Record<SubscriptionMailKind, "order" | "manage">> = {
  "renewal-reminder": "order",
  "renewal-window": "order",
  "subscription-ended": "order",
  "subscription-extended": "order",
  "terms-reminder": "manage",
};

/** Returns the deduplication key of the first recipient's mail, which represents the whole notice. */
export function firstRecipientDedupeKey(notice: string): string {
  return `${notice}:1`;
}

/** Builds the mail's data: the subscription and the end that the notice is about. */
function noticeData(subscription: { id: SubscriptionId; end: Date }): Record<string, string> {
  return { subscriptionId: subscription.id, end: subscription.end.toISOString() };
}

/** Mails the company that a subscription has ended, by our clock or the vendor's report. */
export function notifyOfEnd(trx: Trx, ended: EndingSubscription): Promise<boolean> {
  const notice = `subscription-ended:${ended.id}:${ended.end.toISOString()}`;
  return notifyRecipients(trx, ended, "subscription-ended", notice);
}

/**
 * Tells the company, as a renewed term begins, that its licences can still be removed (docs/decisions/refunds.md#cancellations). Nothing is
 * mailed for a family that takes none back.
 * @param begun the subscription with the end of the new term
 */
export async function notifyOfCancellationWindow(trx: Trx, begun: StartedTerm): Promise<void> {
  if ("never" in families[begun.family].returns.reduce) return;
  const notice = `renewal-window:${begun.id}:${begun.end.toISOString()}`;
  await notifyRecipients(trx, begun, "renewal-window", notice);
}

/**
 * Queues a mail to each recipient, once. The first mail represents the whole notice, so a member who joins later does not
 * trigger it again.
 * @param notice its unique name, with the subscription and its end
 * @returns false when it was queued before, or has no recipient
 */
export async function notifyRecipients(
  trx: Trx,
  about: EndingSubscription,
  kind: SubscriptionMailKind,
  notice: string,
): Promise<boolean> {
  const [first, ...others] = await selectWithRoles(trx, about.customerId, rolesThatMay(readers[kind]));
  if (first === undefined) return false;
  const mail = { kind, data: noticeData(about) };
  const ask = (reader: typeof first, dedupeKey: string) =>
    queueOwnMail(trx, { ...mail, dedupeKey, userId: reader.userId });
  if (!(await ask(first, firstRecipientDedupeKey(notice)))) return false;
  for (const [index, reader] of others.entries()) await ask(reader, `${notice}:${index + 2}`);
  return true;
}
