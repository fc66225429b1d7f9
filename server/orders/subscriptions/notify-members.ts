/** Mails to a company about a subscription, and who reads each: whoever may order what it urges to, or who answers for the company. */

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

/** By what a member may do: a vendor's terms are accepted by who answers for the company. */
const readers: Readonly<Record<SubscriptionMailKind, "order" | "manage">> = {
  "renewal-reminder": "order",
  "renewal-window": "order",
  "subscription-ended": "order",
  "subscription-extended": "order",
  "terms-reminder": "manage",
};

/** The deduplication key of the first reader's mail, which stands for the whole notice. */
export function firstRecipientDedupeKey(notice: string): string {
  return `${notice}:1`;
}

/** The mail's data: the subscription, and which end of it the notice is about. */
function noticeData(subscription: { id: SubscriptionId; end: Date }): Record<string, string> {
  return { subscriptionId: subscription.id, end: subscription.end.toISOString() };
}

/** Tells the company that a subscription has ended, whether the clock says so first or its vendor. */
export function notifyOfEnd(trx: Trx, ended: EndingSubscription): Promise<boolean> {
  const notice = `subscription-ended:${ended.id}:${ended.end.toISOString()}`;
  return notifyRecipients(trx, ended, "subscription-ended", notice);
}

/**
 * Tells the company, as a renewed term begins, that licences of it can still be given back (docs/decisions/cancellations.md). Nothing is
 * said of a family that takes none back.
 * @param begun with the end of the new term
 */
export async function notifyOfCancellationWindow(trx: Trx, begun: StartedTerm): Promise<void> {
  if ("never" in families[begun.family].returns.reduce) return;
  const notice = `renewal-window:${begun.id}:${begun.end.toISOString()}`;
  await notifyRecipients(trx, begun, "renewal-window", notice);
}

/**
 * Queues a mail to each reader, once. The first reader's mail stands for the whole notice, so who joins later does not trigger
 * it again.
 * @param notice its unique name, with the subscription and its end
 * @returns false when it was sent before, or there is nobody to read it
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
