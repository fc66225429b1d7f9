/** Letters about a subscription's term: its end, its renewal, and cancellations. */
import { type CancellationId, parseId } from "#db/ids.ts";
import { mintRenewalToken } from "#server/accounts/one-time-tokens.ts";
import { readCancellationMailFacts } from "#server/billing/cancellations/read.ts";
import { families } from "#server/catalogue/families/registry.ts";
import * as paths from "#server/foundation/paths.ts";
import { readCancellationWindow } from "../cancellation-window.ts";
import type { MailContent } from "../layout.ts";
import { readSubscriptionEndFacts } from "../subscription-end-mail.ts";
import { type Letter, type LettersOf, linkTo, tokenFor } from "./letter.ts";

/** Templates whose button leads to the renewal. */
const renewalTemplates = {
  "subscription-ended": "subscriptionEnded",
  "subscription-extended": "subscriptionExtended",
} as const;

export const subscriptionLetters: LettersOf<
  | "renewal-reminder"
  | "renewal-window"
  | "subscription-ended"
  | "subscription-extended"
  | "terms-reminder"
  | "cancellation"
> = {
  async "renewal-reminder"(letter) {
    const { context, facts, templates } = letter;
    const notice = await readSubscriptionEndFacts(context, "renewal-reminder", facts, new Date());
    if (notice === null) return null;
    const token = await tokenFor(letter, (trx, userId) => mintRenewalToken(trx, { ...notice, userId }));
    if (token === null) return null;
    return templates.renewalReminder({ notice, link: linkTo(letter, paths.renewalLink(token)) });
  },
  async "renewal-window"(letter) {
    const window = await readCancellationWindow(letter.context, letter.facts, new Date());
    if (window === null) return null;
    const link = linkTo(letter, paths.cancelSubscription(window.subscription.id));
    return letter.templates.renewalWindow({ window, link });
  },
  "subscription-ended": (letter) => ended("subscription-ended", letter),
  "subscription-extended": (letter) => ended("subscription-extended", letter),
  async "terms-reminder"({ context, facts, templates }) {
    const notice = await readSubscriptionEndFacts(context, "terms-reminder", facts, new Date());
    if (notice === null) return null;
    return templates.termsReminder({ notice, link: families[notice.family].startUrl(context.env) });
  },
  cancellation: cancelled,
};

async function ended(kind: keyof typeof renewalTemplates, letter: Letter): Promise<MailContent | null> {
  const notice = await readSubscriptionEndFacts(letter.context, kind, letter.facts, new Date());
  if (notice === null) return null;
  const link = linkTo(letter, paths.renew(notice.subscriptionId));
  return letter.templates[renewalTemplates[kind]]({ notice, link });
}

async function cancelled(letter: Letter): Promise<MailContent | null> {
  const id = parseId<CancellationId>(letter.facts.cancellationId);
  const notice = id === null ? null : await readCancellationMailFacts(letter.context.db, id);
  if (notice === null) return null;
  const link = paths.cancelSubscription(notice.subscription.id, { asked: notice.cancellation.id });
  return letter.templates.cancellation({
    ...notice,
    creditNotes: notice.creditNotes.map(({ number, id: note }) => ({
      number,
      link: linkTo(letter, paths.creditNote(note)),
    })),
    orders: linkTo(letter, paths.myOrders()),
    link: linkTo(letter, link),
  });
}
