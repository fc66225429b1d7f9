/** What each mail says, in the language of its reader. How it looks is decided in layout.ts. */

import { z } from "zod";
import { money } from "#db/money.ts";
import type { Order } from "#db/order.ts";
import type { Refund } from "#db/refunds.ts";
import type { MemberRole } from "#db/tables/enums.ts";
import type { Invite } from "#server/accounts/invites.ts";
import { brand } from "#server/brand.ts";
import type { CancellationNotice } from "#server/cancellations/read.ts";
import type { Credentials } from "#server/credentials/credentials.ts";
import { orderStateWords } from "#server/desk/words.ts";
import type { CreditNote } from "#server/documents/credit-note.ts";
import { referenceLines } from "#server/documents/view.ts";
import { unreachable } from "#server/errors.ts";
import { families } from "#server/families/family.ts";
import { signInProblemIn } from "#server/fulfilment/note.ts";
import type { LanguageId } from "#server/languages/language.ts";
import type { Text } from "#server/languages/messages.ts";
import { tell, textIn } from "#server/languages/text.ts";
import type { RenewalWindow } from "#server/mail/renewal-window.ts";
import type { Notice } from "#server/mail/subscription-notice.ts";
import { exportDays } from "#server/my-data/export.ts";
import { orderNumber } from "#server/orders/number.ts";
import { isPaid } from "#server/orders/order.ts";
import { priceTaxOf } from "#server/orders/supply.ts";
import { taxWords } from "#server/orders/tax-words.ts";
import { formatExact, formatMoney } from "#server/pricing/format.ts";
import { licences } from "#server/pricing/quantity.ts";
import type { Attachment } from "#server/providers/smtp.ts";
import { formatDate, formatMoment } from "#server/subscriptions/dates.ts";
import type { Letter, Row } from "./layout.ts";
import { plainName } from "./plain-name.ts";

const store = brand.name;

/** What the mail about a transfer is told: amounts as text. */
export const transferSaid = z.object({
  state: z.enum(["part", "full", "over", "withheld", "held"]),
  received: z.string(),
  missing: z.string().default(""),
  withheld: z.string().default(""),
  surplus: z.string().default(""),
});

/** The mails to those who buy, in a language. */
export function templatesIn(language: LanguageId) {
  const text = textIn(language);
  const seats = (count: number) => text("orders.licences", { count });
  const nameOf = (order: Order | null) => order?.line.name ?? text("mail.yourSubscription");
  const numbered = (order: Order | null): Pick<Letter, "orderNumber"> =>
    order === null ? {} : { orderNumber: orderNumber(order) };
  const asideOf = (invoice: string | null): Pick<Letter, "aside"> =>
    invoice === null ? {} : { aside: { label: text("mail.invoice"), link: invoice } };
  const open = (link: string) => ({ label: text("mail.openOrder"), link });

  return {
    setPassword: ({ link }: { link: string }): Letter => ({
      subject: text("mail.setPasswordSubject", { store }),
      preheader: text("mail.setPasswordPreheader"),
      paragraphs: [text("mail.accountMade"), text("mail.setPasswordOnce")],
      button: { label: text("mail.setPassword"), link },
      afterwards: [text("mail.notYourOrder")],
    }),

    resetPassword: ({ link }: { link: string }): Letter => ({
      subject: text("mail.resetSubject", { store }),
      preheader: text("mail.resetPreheader"),
      paragraphs: [text("mail.resetAsked")],
      button: { label: text("mail.newPassword"), link },
      afterwards: [text("mail.resetNotYou")],
    }),

    confirmEmail: ({ link }: { link: string }): Letter => ({
      subject: text("mail.confirmSubject", { store }),
      preheader: text("mail.confirmPreheader"),
      paragraphs: [text("mail.confirmHow"), text("mail.confirmSignsOut")],
      button: { label: text("mail.confirmEmail"), link },
      afterwards: [text("mail.confirmNotYou")],
    }),

    storeViewed: ({ when, reason, company }: { when: string; reason: string; company: string }): Letter => ({
      subject: text("mail.viewedSubject", { store }),
      preheader: text("mail.viewedPreheader"),
      paragraphs: [
        text("mail.viewed", { when, company: plainName(company) ?? text("mail.companyHere", { store }) }),
        text("mail.viewedWhy", { reason }),
        text("mail.viewedLimits"),
        text("mail.viewedNotExpected"),
      ],
    }),

    dataExport: ({ whose, until, link }: { whose: string; until: string; link: string }): Letter => ({
      subject: text("myData.exportSubject"),
      preheader: text("myData.exportPreheader", { days: exportDays }),
      paragraphs: [text("myData.exportMail", { whose, date: until })],
      button: { label: text("myData.openMyData"), link },
      afterwards: [text("myData.exportNotYou")],
    }),

    deletionAsked: ({ due, link }: { due: string; link: string }): Letter => ({
      subject: text("myData.deletionSubject", { store }),
      preheader: text("myData.deletionPreheader", { date: due }),
      paragraphs: [text("myData.deletionMail", { date: due })],
      button: { label: text("myData.keep"), link },
      afterwards: [text("myData.deletionNotYou")],
    }),

    deletionStopped: ({ link }: { link: string }): Letter => ({
      subject: text("myData.stoppedSubject", { store }),
      preheader: text("myData.stoppedPreheader"),
      paragraphs: [text("myData.stoppedMail")],
      button: { label: text("myData.openMyData"), link },
    }),

    resumeOrder: ({ order, link }: { order: Order | null; link: string }): Letter => ({
      subject: text("mail.resumeSubject", { name: nameOf(order) }),
      preheader: text("mail.resumePreheader"),
      paragraphs: [text("mail.resumeBegun", { name: nameOf(order) }), text("mail.resumeLink")],
      button: { label: text("mail.continueOrder"), link },
      ...numbered(order),
    }),

    signInReminder: ({ order, link }: { order: Order | null; link: string }): Letter => ({
      subject: text("mail.signInSubject", { name: nameOf(order) }),
      preheader: text("mail.signInPreheader"),
      paragraphs: [text("mail.signInPaid", { name: nameOf(order) }), whatIsMissing(order, language)],
      button: { label: text("mail.finishOrder"), link },
      afterwards: [text("mail.worksOnceSignsIn")],
      ...numbered(order),
    }),

    identityCode: ({
      code,
      minutes,
      provider,
    }: {
      code: string;
      minutes: number;
      provider: string;
    }): Letter => {
      const spaced = `${code.slice(0, 4)} ${code.slice(4)}`;
      return {
        subject: text("mail.codeSubject", { provider }),
        preheader: text("mail.codePreheader", { minutes }),
        paragraphs: [
          text("mail.code", { code: spaced, minutes }),
          text("mail.codeWhy", { provider }),
          text("mail.codeNotYou"),
        ],
        amount: { label: text("mail.codeLabel"), value: spaced },
      };
    },

    orderConfirmation: ({
      order,
      link,
      invoice,
    }: {
      order: Order | null;
      link: string;
      invoice: string | null;
    }): Letter => ({
      subject: doneSubject(order, nameOf(order), text),
      preheader:
        order === null
          ? text("mail.openOrder")
          : text("mail.donePreheader", {
              number: orderNumber(order),
              licences: seats(order.line.quantity),
              amount: formatMoney(order.total),
            }),
      paragraphs: [
        whereItIs(order, language),
        ...(order === null
          ? []
          : families[order.family].leftToDo(order).map((sentence) => tell(language, sentence))),
        ...windowAhead(order, text),
      ],
      button: open(link),
      ...(order !== null && billOf(order, language)),
      ...asideOf(invoice),
      ...numbered(order),
    }),

    invoiceReady: ({
      order,
      number,
      link,
    }: {
      order: Order | null;
      number: string;
      link: string;
    }): Letter => ({
      subject: text("mail.invoiceReadySubject", { number }),
      preheader: text("mail.invoiceReadyPreheader"),
      paragraphs: [
        claimsTax(order)
          ? text("mail.invoiceReady", { number, name: nameOf(order) })
          : text("mail.invoiceReadyPlain", { number, name: nameOf(order) }),
      ],
      button: { label: text("mail.openInvoice"), link },
      ...numbered(order),
    }),

    invoiceCorrected: ({
      order,
      number,
      former,
      link,
      creditNote,
    }: {
      order: Order | null;
      number: string;
      /** The number of the invoice that it replaces. */
      former: string;
      link: string;
      /** The address of the credit note. */
      creditNote: string;
    }): Letter => ({
      subject: text("corrections.mailSubject", { number }),
      preheader: text("corrections.mailPreheader", { former }),
      paragraphs: [text("corrections.mailWhat", { number, former }), text("corrections.mailBook")],
      button: { label: text("mail.openInvoice"), link },
      aside: { label: text("corrections.mailCreditNote"), link: creditNote },
      ...numbered(order),
    }),

    orderRefunded: ({
      order,
      amount,
      reason,
      link,
    }: {
      order: Order | null;
      amount: string;
      reason: string;
      link: string;
    }): Letter => ({
      subject: text("mail.refundSubject", { name: nameOf(order) }),
      preheader: text("mail.refundPreheader", { amount }),
      paragraphs: [
        ...(order === null
          ? []
          : [
              text("mail.refundOrder", {
                number: orderNumber(order),
                name: order.line.name,
                licences: seats(order.line.quantity),
              }),
            ]),
        text("mail.refundWhy", { reason }),
        text("mail.refundHow", { amount }),
      ],
      button: { label: text("mail.mySubscriptions"), link },
      amount: { label: text("mail.amountBack"), value: amount },
      ...numbered(order),
    }),

    refund: ({
      order,
      refund,
      creditNote,
      link,
    }: {
      order: Order | null;
      refund: Pick<Refund, "amountMinor" | "currency" | "status" | "reason" | "method"> &
        Pick<Refund, "providerRefundId" | "bankReference">;
      /** Its address; null for money that was never invoiced. */
      creditNote: string | null;
      link: string;
    }): Letter => {
      const amount = formatMoney(money(refund.amountMinor, refund.currency));
      const isPaidOut = refund.status === "processed";
      const where = text("mail.moneyBackTo", { method: refund.method ?? "unknown" });
      const { bankReference, providerRefundId } = refund;
      const facts: { label: string; value: string | null }[] = [
        { label: text("mail.moneyBackWhere"), value: where },
        { label: text("mail.moneyBackBank"), value: bankReference },
        { label: text("mail.moneyBackNumber"), value: providerRefundId },
      ];
      return {
        subject: isPaidOut
          ? text("mail.moneyBackPaidSubject", { amount, name: nameOf(order) })
          : text("mail.moneyBackSubject", { amount, name: nameOf(order) }),
        preheader: isPaidOut ? text("mail.moneyBackPaidPreheader") : text("mail.moneyBackPreheader"),
        paragraphs: [
          isPaidOut
            ? text("mail.moneyBackPaid", { amount, where })
            : text("mail.moneyBack", { amount, where }),
          tell(language, refund.reason),
          isPaidOut ? text("mail.moneyBackPaidHow") : text("mail.moneyBackHow"),
        ],
        facts: facts.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }])),
        amount: { label: text("mail.amountBack"), value: amount },
        button: creditNote === null ? open(link) : { label: text("mail.creditNote"), link: creditNote },
        ...numbered(order),
      };
    },

    proforma: (asked: {
      order: Order;
      total: string;
      lines: Row[];
      until: string;
      link: string;
      pdf: string;
    }): Letter => ({
      subject: text("paying.mailSubject", { name: nameOf(asked.order), total: asked.total }),
      preheader: text("paying.mailPreheader", { date: asked.until }),
      paragraphs: [
        text("paying.mailHow", { total: asked.total }),
        text("paying.mailThen", { date: asked.until }),
      ],
      facts: asked.lines,
      button: { label: text("paying.openProforma"), link: asked.link },
      aside: { label: text("paying.mailPdf"), link: asked.pdf },
      ...numbered(asked.order),
    }),

    paymentLink: (asked: {
      order: Order;
      total: string;
      until: string;
      /** The provider's. */
      link: string;
      page: string;
    }): Letter => ({
      subject: text("paying.linkSubject", { name: nameOf(asked.order), total: asked.total }),
      preheader: text("paying.linkPreheader", { date: asked.until }),
      paragraphs: [
        text("paying.linkHow", { total: asked.total }),
        text("paying.linkThen", { date: asked.until }),
      ],
      button: { label: text("paying.payTotal", { total: asked.total }), link: asked.link },
      aside: { label: text("paying.linkAside"), link: asked.page },
      ...numbered(asked.order),
    }),

    transferReceived: (heard: {
      order: Order;
      said: z.output<typeof transferSaid>;
      problem: string;
      link: string;
    }): Letter => {
      const { order, said, problem, link } = heard;
      const { received } = said;
      const letter = (subject: string, ...paragraphs: string[]): Letter => ({
        subject,
        preheader: text("paying.inPreheader", { received }),
        paragraphs,
        button: open(link),
        ...numbered(order),
      });
      const arrived = text("paying.inSubject", { name: nameOf(order) });
      switch (said.state) {
        case "part":
          return {
            ...letter(
              text("paying.partSubject", { received, total: formatMoney(order.total) }),
              text("paying.partHow", { missing: said.missing }),
            ),
            button: { label: text("paying.openProforma"), link },
          };
        case "held":
          return letter(
            text("paying.heldSubject", { name: nameOf(order) }),
            text("paying.held", { problem }),
          );
        case "full":
          return letter(arrived, text("paying.arrivedAll"));
        case "over":
          return letter(arrived, text("paying.arrivedOver", { surplus: said.surplus }));
        case "withheld":
          return letter(arrived, text("paying.arrivedShort", { withheld: said.withheld }));
        default:
          return unreachable(said.state);
      }
    },

    certificateDue: (awaited: {
      order: Order;
      withheld: string;
      date: string;
      due: string;
      link: string;
    }): Letter => {
      const { order, withheld, date, due, link } = awaited;
      return {
        subject: text("paying.certificateSubject", { name: nameOf(order) }),
        preheader: text("paying.certificatePreheader", { withheld }),
        paragraphs: [
          text("paying.certificateWhat", { date, withheld, due }),
          text("paying.certificateHow", { email: brand.supportEmail }),
        ],
        button: { label: text("paying.openProforma"), link },
        ...numbered(order),
      };
    },

    creditNote: ({ order, note, link }: { order: Order | null; note: CreditNote; link: string }): Letter => {
      const { number, facts } = note;
      const amount = formatMoney(money(facts.totalMinor, facts.currency));
      return {
        subject: text("mail.creditNoteSubject", { number, amount }),
        preheader: text("mail.creditNotePreheader", {
          name: nameOf(order),
          order: facts.orderNumber ?? note.orderId,
        }),
        paragraphs: [
          text("mail.creditNoteWhat", {
            number,
            amount,
            invoice: facts.invoice.number,
            reason: facts.reason,
          }),
          text("mail.creditNoteHow"),
        ],
        button: { label: text("mail.creditNote"), link },
        amount: { label: text("mail.amountBack"), value: amount },
        ...numbered(order),
      };
    },

    orderDelayed: ({ order, said, link }: { order: Order | null; said: string; link: string }): Letter => ({
      subject: text("mail.delayedSubject", { name: nameOf(order) }),
      preheader: text("mail.delayedPreheader"),
      paragraphs: [said, text("mail.delayedSafe")],
      button: open(link),
      ...numbered(order),
    }),

    correctionNeeded: ({ order, problem }: { order: Order | null; problem: string }): Letter => ({
      subject: text("mail.correctionSubject", { name: nameOf(order) }),
      preheader: text("mail.correctionPreheader"),
      paragraphs: [
        problem,
        text("mail.correctionHow", { email: brand.supportEmail }),
        text("mail.correctionSafe"),
      ],
      button: { label: text("mail.writeToUs"), link: brand.supportUrl },
      ...numbered(order),
    }),

    accessCode: ({
      order,
      name,
      link,
      access,
      invoice,
    }: {
      order: Order | null;
      /** The name of the product that the link opens. */
      name: string;
      link: string;
      access: Credentials | null;
      invoice: string | null;
    }): Letter => ({
      subject: text("mail.accessSubject", { name: nameOf(order) }),
      preheader: text("mail.accessPreheader"),
      paragraphs: [order?.kind === "RENEW" ? text("mail.accessRenewed") : text("mail.accessFirst")],
      facts:
        access === null
          ? []
          : [
              { label: text("mail.accessSignIn"), value: access.username },
              { label: text("mail.accessCode"), value: access.password },
            ],
      button: { label: text("mail.open", { name }), link },
      ...(order !== null && billOf(order, language)),
      ...asideOf(invoice),
      ...numbered(order),
    }),

    memberInvite: ({ invite, link }: { invite: Invite; link: string }): Letter => ({
      subject: text("mail.inviteSubject", { store }),
      preheader: text("mail.invitePreheader"),
      paragraphs: [invitation(invite, text)],
      button: { label: text("mail.answerInvite"), link },
      afterwards: [text("mail.inviteOnce")],
    }),

    askAdministrator: ({
      company,
      email,
      domain,
      signsInAt,
      days,
      link,
    }: {
      company: string;
      email: string | null;
      domain: string;
      /** Null where a DNS record is the proof. */
      signsInAt: string | null;
      days: number;
      link: string;
    }): Letter => {
      const name = nameForStrangers(company, language);
      return {
        subject: text("mail.askSubject", { domain }),
        preheader: text("mail.askPreheader", { domain }),
        paragraphs: [
          text("mail.askWho", { company: email === null ? name : `${name} (${email})`, store, domain }),
          signsInAt === null ? text("mail.askByDns") : text("mail.askBySignIn", { place: signsInAt }),
        ],
        button: { label: text("mail.askSee"), link },
        afterwards: [text("mail.askUntil", { days })],
      };
    },

    billingContact: ({ company, what, link }: { company: string; what: string; link: string }): Letter => ({
      subject: text("billing.askSubject", { company }),
      preheader: text("billing.askPreheader"),
      paragraphs: [text("billing.askWhat", { company, what }), text("billing.askHow")],
      button: { label: text("billing.answer"), link },
    }),

    documentCopy: (copy: {
      order: Order;
      company: string;
      /** What the document calls itself. */
      title: string;
      number: string;
      total: string;
      attachment: Attachment;
      link: string;
    }): Letter => {
      const { order, company, title, number, total, attachment, link } = copy;
      return {
        subject: text("billing.copySubject", { title, number, company }),
        preheader: text("billing.copyPreheader"),
        paragraphs: [text("billing.copyWhat", { title, number, company, total })],
        facts: referenceLines(text, order.references),
        attachments: [attachment],
        button: { label: text("billing.copyStop"), link },
        ...numbered(order),
      };
    },

    administratorDone: ({
      order,
      domain,
      link,
    }: {
      order: Order | null;
      domain: string;
      link: string;
    }): Letter => ({
      subject: text("mail.confirmedSubject", { domain }),
      preheader: text("mail.confirmedPreheader", { domain }),
      paragraphs: [
        text("mail.confirmedBy", { domain, name: nameOf(order) }),
        order !== null && isPaid(order) ? text("mail.confirmedGoesOn") : text("mail.confirmedPay"),
      ],
      button: open(link),
      ...numbered(order),
    }),

    renewalReminder: ({ notice, link }: { notice: Notice; link: string }): Letter => {
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

    renewalWindow: ({ window, link }: { window: RenewalWindow; link: string }): Letter => {
      const { subscription, country, offer, forOne } = window;
      const { reduce, cancel } = offer;
      const values = { name: subscription.name, domain: subscription.domain };
      const until = (date: Date) => formatMoment(date, country, language);
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

    subscriptionEnded: ({ notice, link }: { notice: Notice; link: string }): Letter => ({
      subject: text("mail.endedSubject", { name: notice.name, domain: notice.domain }),
      preheader: text("mail.endedPreheader"),
      paragraphs: [endedOn(notice, language), ...costOf(notice, language), text("mail.endedRenew")],
      button: { label: text("mail.renew"), link },
      ...priceOf(notice, language),
      country: notice.country,
    }),

    subscriptionExtended: ({ notice, link }: { notice: Notice; link: string }): Letter => {
      const { label: family } = families[notice.family];
      const { name, domain, extendedUntil, country } = notice;
      const ended = endedOn(notice, language);
      return {
        subject: text("mail.extendedSubject", { name, domain, family }),
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
    }: Omit<CancellationNotice, "creditNotes"> & {
      creditNotes: readonly { number: string; link: string }[];
      /** The page that has all of them. */
      orders: string;
      link: string;
    }): Letter => {
      const { kind, state, seatsBefore, seatsAfter, problem } = cancellation;
      const { name, domain, country } = subscription;
      const isCancel = kind === "cancel";
      const button = { label: text("cancellation.mailSee"), link };
      if (state === "refused") {
        const why = tell(language, problem ?? "");
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

    termsReminder: ({ notice, link }: { notice: Notice; link: string }): Letter => {
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

/** The mails to the operator, in English and without ornament: they are read by those who run the store. */
export const operatorTemplates = {
  operatorAlert: ({
    order,
    what,
    toDo = [],
    link,
  }: {
    order: Order | null;
    what: string;
    toDo?: readonly string[] | undefined;
    link: string;
  }): Letter => ({
    subject: order === null ? "The store needs attention" : `An order needs attention: ${orderNumber(order)}`,
    preheader: what.slice(0, 120),
    isToOperator: true,
    paragraphs: [what, ...toDo],
    ...(order !== null && {
      facts: [
        { label: "Order", value: orderNumber(order) },
        { label: "Plan", value: `${order.line.name}, ${licences(order.line.quantity)}` },
        { label: "Total", value: formatMoney(order.total) },
        { label: "Where it stands", value: orderStateWords(order) },
        { label: "Company", value: order.account?.companyName ?? "not known yet" },
        { label: "Email", value: order.account?.email ?? "not known yet" },
      ],
    }),
    button: { label: order === null ? "Open the desk" : "Open the order at the desk", link },
  }),

  vendorNotice: ({
    subject,
    paragraphs,
    link,
  }: {
    subject: string;
    paragraphs: readonly string[];
    link: string;
  }): Letter => ({
    subject,
    preheader: (paragraphs[0] ?? "").slice(0, 120),
    isToOperator: true,
    paragraphs,
    button: { label: "Open the desk", link },
  }),
} as const;

/** The reader may know neither the inviter nor the company. The address is proven, but the names are free text. */
function invitation(
  { inviter: typed, inviterEmail: email, company: called, role }: Invite,
  text: Text,
): string {
  const name = plainName(typed);
  const company = plainName(called);
  const named = name === null ? email : `${name} (${email})`;
  const values = {
    inviter: (email === null ? name : named) ?? text("mail.somebody"),
    company: company === null ? text("mail.theirCompany") : `“${company}”`,
  };
  return text(inviteKeys[role], values);
}

const inviteKeys = {
  owner: "mail.inviteAsOwner",
  buyer: "mail.inviteAsBuyer",
  approver: "mail.inviteAsApprover",
  viewer: "mail.inviteAsViewer",
} as const satisfies Record<MemberRole, string>;

/** Of a term that is renewed before it has begun: that licences can be given back once it has. */
function windowAhead(order: Order | null, text: Text): string[] {
  const after = order?.details.renewal?.after;
  if (order === null || order.paidAt === null || after === undefined) return [];
  const { reduce } = families[order.family].returns;
  if ("never" in reduce || new Date(after) <= order.paidAt) return [];
  return [text("mail.windowAhead", { hours: reduce.hours })];
}

function doneSubject(order: Order | null, name: string, text: Text): string {
  if (order?.kind === "ADD") return text("mail.addedSubject", { name });
  return order?.kind === "RENEW" ? text("mail.renewedSubject", { name }) : text("mail.doneSubject", { name });
}

/** Whether there is tax on the order that its buyer can claim, which only who is registered can. */
function claimsTax(order: Order | null): boolean {
  return order !== null && order.tax.minor > 0 && order.account?.gst_code != null;
}

/** The lines of what was paid, and the amount. */
function billOf(order: Order, language: LanguageId): { bill: Row[]; amount: Row } {
  const text = textIn(language);
  const { name: tax } = taxWords(priceTaxOf(order), language);
  return {
    bill: [
      {
        label: text("mail.billLine", {
          name: order.line.name,
          licences: text("orders.licences", { count: order.line.quantity }),
        }),
        value: formatExact(order.subtotal),
      },
      ...(tax === null
        ? []
        : [
            {
              label: text("mail.tax", { name: tax, rate: order.taxRateBasisPoints / 100 }),
              value: formatExact(order.tax),
            },
          ]),
      ...(order.rounding.minor === 0
        ? []
        : [{ label: text("mail.rounding"), value: formatExact(order.rounding) }]),
    ],
    amount: { label: text("mail.paid"), value: formatMoney(order.total) },
  };
}

function endedOn({ name, domain, quantity, end, country }: Notice, language: LanguageId): string {
  const text = textIn(language);
  return text("mail.endedOn", {
    name,
    domain,
    licences: text("orders.licences", { count: quantity }),
    date: formatDate(end, country, language),
  });
}

/** Empty when there is no price today. */
function costOf({ quantity, chosen, term, cost }: Notice, language: LanguageId): string[] {
  if (cost === null) return [];
  const text = textIn(language);
  const { name: tax, whyNone } = taxWords(cost.priceTax, language);
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

/** Empty where the vendor has not told. */
function inUseOf({ inUse, saving, cost, country }: Notice, language: LanguageId): string[] {
  if (inUse === null) return [];
  const text = textIn(language);
  const { assigned, of, readAt } = inUse;
  const said = text("mail.inUse", { assigned, of, date: formatDate(readAt, country, language) });
  if (saving === null || cost === null) return [said];
  const { name: tax } = taxWords(cost.priceTax, language);
  const amount = formatMoney(saving);
  const saves =
    tax === null ? text("mail.inUseSaves", { amount }) : text("mail.inUseSavesTaxed", { amount, tax });
  return [`${said} ${saves}`];
}

function priceOf({ cost }: Notice, language: LanguageId): Pick<Letter, "amount"> {
  if (cost === null) return {};
  const text = textIn(language);
  const { name: tax } = taxWords(cost.priceTax, language);
  const label = tax === null ? text("mail.renewalTotalUntaxed") : text("mail.renewalTotal", { tax });
  return { amount: { label, value: formatMoney(cost.total) } };
}

/** How many licences a renewal may be for. */
function seatsOf({ family, quantity }: Notice, text: Text): string {
  const { renewsAllSeats, label } = families[family];
  if (!renewsAllSeats) return text("mail.renewsAny");
  return text("mail.renewsAll", { family: label, licences: text("orders.licences", { count: quantity }) });
}

function whereItIs(order: Order | null, language: LanguageId): string {
  const text = textIn(language);
  const account = order?.details.addedTo;
  if (order?.kind === "ADD") {
    return account === undefined ? text("mail.whereAddedOwn") : text("mail.whereAdded", { account });
  }
  if (order?.kind === "RENEW") {
    return account === undefined ? text("mail.whereRenewedOwn") : text("mail.whereRenewed", { account });
  }
  if (order?.signIn?.mode === "existing") {
    return text("mail.whereExisting", { username: order.signIn.username });
  }
  const moved = order === null ? null : families[order.family].movedWords(order);
  if (moved !== null) return tell(language, moved);
  if (order !== null && order.kind !== "NEW" && order.signIn === null) {
    return account === undefined ? text("mail.whereBaseOwn") : text("mail.whereBase", { account });
  }
  return text("mail.whereNew");
}

/** The buyer's name for a reader who did not ask for the mail: an administrator who is to confirm the order. */
export function nameForStrangers(company: string, language: LanguageId): string {
  const name = plainName(company);
  return name === null ? textIn(language)("mail.aCompany") : `“${name}”`;
}

function whatIsMissing(order: Order | null, language: LanguageId): string {
  const text = textIn(language);
  const problem = order === null ? null : signInProblemIn(language, order);
  if (problem !== null) return problem;
  if (order?.signIn?.mode === "existing") {
    return text("mail.signInConfirm", { username: order.signIn.username });
  }
  return text("mail.signInMissing");
}
