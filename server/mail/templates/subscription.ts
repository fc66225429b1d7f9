import type { CancellationMailFacts } from "#server/billing/cancellations/read.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { textIn, translate } from "#server/foundation/languages/text.ts";
import type { CancellationWindow } from "#server/mail/cancellation-window.ts";
import type { SubscriptionEndFacts } from "#server/mail/subscription-end-mail.ts";
import { formatDate, formatDateTime } from "#server/orders/subscriptions/dates.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import type { MailContent } from "../layout.ts";
import { sharedTextsIn } from "./shared.ts";

export function subscriptionTemplatesIn(language: LanguageId) {
  const { text, seats } = sharedTextsIn(language);
  return {
    renewalReminder: ({ notice, link }: { notice: SubscriptionEndFacts; link: string }): MailContent => {
      const { name, domain, daysLeft: count, opens, chosen } = notice;
      return {
        subject: text("mail.reminderSubject", { name, domain, count }),
        preheader: opens === null ? text("mail.reminderPreheader") : text("mail.reminderAheadPreheader"),
        paragraphs: [
          text("mail.reminderEnds", {
            name,
            domain,
            licences: seats(notice.quantity),
            date: formatDate(notice.end, notice.country, language),
            count,
          }),
          ...inUseOf(notice, language),
          ...(chosen === null ? [] : [text("mail.reminderChosen", { licences: seats(chosen) })]),
          ...costOf(notice, language),
          opens === null
            ? text("mail.reminderEarly", { seats: seatsOf(notice, text) })
            : text("mail.reminderAhead", { date: formatDate(opens, notice.country, language) }),
        ],
        button: { label: text("mail.decide"), link },
        afterwards: [text("mail.decideHow")],
        ...priceOf(notice, language),
        country: notice.country,
      };
    },

    renewalWindow: ({ window, link }: { window: CancellationWindow; link: string }): MailContent => {
      const { subscription, country, offer, forOne } = window;
      const { reduce, cancel } = offer;
      const values = { name: subscription.name, domain: subscription.domain };
      const until = (date: Date) => formatDateTime(date, country, language);
      return {
        subject: text("mail.windowSubject", values),
        preheader: text("mail.windowPreheader"),
        paragraphs: [
          text("mail.windowBegun", {
            ...values,
            licences: seats(subscription.quantity),
            start: formatDate(subscription.start, country, language),
            end: formatDate(subscription.end, country, language),
          }),
          ...("closed" in reduce || forOne === null
            ? []
            : [
                text("mail.windowReduce", {
                  until: until(reduce.until),
                  licences: seats(reduce.most),
                  amount: formatMoney(forOne),
                }),
              ]),
          ...("closed" in cancel
            ? []
            : [text("mail.windowCancel", { until: until(cancel.until), amount: formatMoney(cancel.total) })]),
          text("mail.windowElse"),
        ],
        button: { label: text("cancellation.link"), link },
        country,
      };
    },

    subscriptionEnded: ({ notice, link }: { notice: SubscriptionEndFacts; link: string }): MailContent => ({
      subject: text("mail.endedSubject", { name: notice.name, domain: notice.domain }),
      preheader: text("mail.endedPreheader"),
      paragraphs: [endedOn(notice, language), ...costOf(notice, language), text("mail.endedRenew")],
      button: { label: text("mail.renew"), link },
      ...priceOf(notice, language),
      country: notice.country,
    }),

    subscriptionExtended: ({ notice, link }: { notice: SubscriptionEndFacts; link: string }): MailContent => {
      const { label: family } = families[notice.family];
      const { name, domain, extendedUntil, country } = notice;
      const ended = endedOn(notice, language);
      return {
        subject: text("mail.extendedSubject", { name, domain }),
        preheader: text("mail.extendedPreheader"),
        paragraphs: [
          extendedUntil === null
            ? text("mail.extendedOn", { ended, family })
            : text("mail.extendedOnUntil", {
                ended,
                family,
                until: formatDate(extendedUntil, country, language),
              }),
          ...costOf(notice, language),
          text("mail.extendedRenew"),
        ],
        button: { label: text("mail.renew"), link },
        ...priceOf(notice, language),
        country: notice.country,
      };
    },

    cancellation: ({
      cancellation,
      subscription,
      total,
      creditNotes,
      orders,
      link,
    }: Omit<CancellationMailFacts, "creditNotes"> & {
      creditNotes: readonly { number: string; link: string }[];
      /** Page with all of them. */
      orders: string;
      link: string;
    }): MailContent => {
      const { kind, state, seatsBefore, seatsAfter, problem } = cancellation;
      const { name, domain, country } = subscription;
      const isCancel = kind === "cancel";
      const button = { label: text("cancellation.mailSee"), link };
      if (state === "refused") {
        const why = translate(language, problem ?? "");
        const subject = isCancel
          ? text("cancellation.mailRefusedCancelSubject", { name, domain })
          : text("cancellation.mailRefusedReduceSubject", { name, domain });
        return { subject, preheader: why, paragraphs: [why], button, country };
      }
      const done = isCancel
        ? text("cancellation.mailCancelled", { name, domain })
        : text("cancellation.mailReduced", {
            given: seats(seatsBefore - seatsAfter),
            name,
            domain,
            left: seats(seatsAfter),
          });
      const amount = formatMoney(total);
      const isPaid = total.minor > 0;
      const [first, ...more] = creditNotes;
      return {
        subject: isCancel
          ? text("cancellation.mailCancelledSubject", { name, domain })
          : text("cancellation.mailReducedSubject", { name, domain }),
        preheader: done,
        paragraphs: [
          done,
          isPaid ? text("cancellation.mailMoney", { amount }) : text("cancellation.mailNoMoney"),
        ],
        button,
        ...(isPaid && { amount: { label: text("mail.amountBack"), value: amount } }),
        ...(first !== undefined && {
          facts: creditNotes.map(({ number }) => ({
            label: text("cancellation.mailCreditNote"),
            value: number,
          })),
          aside:
            more.length === 0
              ? { label: text("mail.creditNote"), link: first.link }
              : { label: text("cancellation.mailCreditNotes"), link: orders },
        }),
        country,
      };
    },

    termsReminder: ({ notice, link }: { notice: SubscriptionEndFacts; link: string }): MailContent => {
      const { label: family } = families[notice.family];
      const { name, domain } = notice;
      return {
        subject: text("mail.termsSubject", { name, domain }),
        preheader: text("mail.termsPreheader", { family }),
        paragraphs: [text("mail.termsWhy", { family, name, domain }), text("mail.termsHow")],
        button: { label: text("mail.openConsole"), link },
        country: notice.country,
      };
    },
  } as const;
}

function endedOn(
  { name, domain, quantity, end, country }: SubscriptionEndFacts,
  language: LanguageId,
): string {
  const text = textIn(language);
  return text("mail.endedOn", {
    name,
    domain,
    licences: text("orders.licences", { count: quantity }),
    date: formatDate(end, country, language),
  });
}

function costOf({ quantity, chosen, term, cost }: SubscriptionEndFacts, language: LanguageId): string[] {
  if (cost === null) return [];
  const text = textIn(language);
  const { name: tax, whyNone } = taxTexts(cost.priceTax, language);
  const values = { licences: text("orders.licences", { count: chosen ?? quantity }) };
  const price = formatMoney(cost.subtotal);
  const total = formatMoney(cost.total);
  const isMonth = term === "P1M";
  if (tax === null) {
    return [
      text(isMonth ? "mail.costsMonth" : "mail.costsYear", { ...values, price: total }),
      ...(whyNone === null ? [] : [whyNone]),
    ];
  }
  const taxed = { ...values, price, total, tax };
  return [text(isMonth ? "mail.costsMonthTaxed" : "mail.costsYearTaxed", taxed)];
}

function inUseOf({ inUse, saving, cost, country }: SubscriptionEndFacts, language: LanguageId): string[] {
  if (inUse === null) return [];
  const text = textIn(language);
  const { assigned, of, readAt } = inUse;
  const said = text("mail.inUse", { assigned, of, date: formatDate(readAt, country, language) });
  if (saving === null || cost === null) return [said];
  const { name: tax } = taxTexts(cost.priceTax, language);
  const amount = formatMoney(saving);
  const saves =
    tax === null ? text("mail.inUseSaves", { amount }) : text("mail.inUseSavesTaxed", { amount, tax });
  return [`${said} ${saves}`];
}

function priceOf({ cost }: SubscriptionEndFacts, language: LanguageId): Pick<MailContent, "amount"> {
  if (cost === null) return {};
  const text = textIn(language);
  const { name: tax } = taxTexts(cost.priceTax, language);
  const label = tax === null ? text("mail.renewalTotalUntaxed") : text("mail.renewalTotal", { tax });
  return { amount: { label, value: formatMoney(cost.total) } };
}

function seatsOf({ family, quantity }: SubscriptionEndFacts, text: Translate): string {
  const { renewsAllSeats, label } = families[family];
  if (!renewsAllSeats) return text("mail.renewsAny");
  return text("mail.renewsAll", { family: label, licences: text("orders.licences", { count: quantity }) });
}
