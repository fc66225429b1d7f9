/**
 * Mails to a company about a subscription. Only its owners get them: they answer for what the company pays, and every
 * company always has one (accounts/members.ts). They tell colleagues who may buy.
 */
import type { Ending } from "#db/due-subscriptions.ts";
import type { SubscriptionId } from "#db/ids.ts";
import { selectOwners } from "#db/members.ts";
import type { MailKind } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import { queueMail } from "#server/outbox/mail.ts";

export type NoticeKind = Extract<
  MailKind,
  "renewal-reminder" | "subscription-ended" | "subscription-extended" | "terms-reminder"
>;

/** The deduplication key of the first owner's mail, which stands for the whole notice. */
export function firstKey(notice: string): string {
  return `${notice}:1`;
}

/** The mail's data: the subscription, and which end of it the notice is about. */
function noticeData(subscription: { id: SubscriptionId; end: Date }): Record<string, string> {
  return { subscriptionId: subscription.id, end: subscription.end.toISOString() };
}

/** Tells the owners that a subscription has ended, whether the clock says so first or its vendor. */
export function tellOfEnd(trx: Trx, ended: Ending): Promise<boolean> {
  const notice = `subscription-ended:${ended.id}:${ended.end.toISOString()}`;
  return tellOwners(trx, ended, "subscription-ended", notice);
}

/**
 * Queues a mail to each owner, once. The first owner's mail stands for the whole notice, so a new owner does not trigger
 * it again.
 * @param notice its unique name, with the subscription and its end
 * @returns false when it was sent before, or there is no owner to read it
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
    queueMail(trx, { ...mail, dedupeKey, recipient: owner.email, userId: owner.userId });
  if (!(await ask(first, firstKey(notice)))) return false;
  for (const [index, owner] of others.entries()) await ask(owner, `${notice}:${index + 2}`);
  return true;
}
