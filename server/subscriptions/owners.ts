/**
 * Writing to a company about a subscription. Its owners are written to: they answer for what the company pays, every company
 * has one at all times (accounts/members.ts), and a colleague who may buy is told by them and not by each reminder.
 */
import type { Ending } from "#db/due-subscriptions.ts";
import type { SubscriptionId } from "#db/ids.ts";
import { selectOwners } from "#db/members.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { queueMail } from "#server/outbox/mail.ts";

export type NoticeKind = Extract<MailKind, "renewal-reminder" | "subscription-ended">;

/** What makes a notice one mail to its first reader: the key of the whole notice. */
export function firstKey(notice: string): string {
  return `${notice}:1`;
}

/** The facts a notice is asked for with: which subscription, and which end of it. */
function noticeData(subscription: { id: SubscriptionId; end: Date }): Record<string, string> {
  return { subscriptionId: subscription.id, end: subscription.end.toISOString() };
}

/**
 * Asks for a mail to each owner, once: the first owner's mail stands for the notice, so who becomes an owner later does not
 * bring it about again.
 * @param notice names it for ever, with the subscription and its end
 * @returns false when it was given before, or there is nobody to read it
 */
export async function tellOwners(
  trx: Trx,
  about: Ending,
  kind: NoticeKind,
  notice: string,
): Promise<boolean> {
  const [first, ...others] = await selectOwners(trx, about.customerId);
  if (first === undefined) return false;
  const mail = { kind, data: noticeData(about) };
  const ask = (owner: typeof first, dedupeKey: string) =>
    queueMail(trx, { ...mail, dedupeKey, recipient: owner.email, userId: owner.user_id });
  if (!(await ask(first, firstKey(notice)))) return false;
  for (const [index, owner] of others.entries()) await ask(owner, `${notice}:${index + 2}`);
  return true;
}
