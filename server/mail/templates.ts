/** What each mail says, in the language of its reader. How it looks is decided in layout.ts. */

import type { Order } from "#db/order.ts";
import type { Invite } from "#server/accounts/invites.ts";
import { brand } from "#server/brand.ts";
import { countries } from "#server/countries/country.ts";
import type { Credentials } from "#server/credentials/credentials.ts";
import { families } from "#server/families/family.ts";
import type { LanguageId } from "#server/languages/language.ts";
import type { Text } from "#server/languages/messages.ts";
import { tell, textIn } from "#server/languages/text.ts";
import type { Notice } from "#server/mail/subscription-notice.ts";
import { orderNumber } from "#server/orders/number.ts";
import { isPaid } from "#server/orders/order.ts";
import { formatExact, formatMoney } from "#server/pricing/format.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import type { Letter, Row } from "./layout.ts";
import { plainName } from "./plain-name.ts";

const store = brand.name;

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
      paragraphs: [text("mail.signInPaid", { name: nameOf(order) }), whatIsMissing(order, text)],
      button: { label: text("mail.finishOrder"), link },
      afterwards: [text("mail.worksOnceSignsIn")],
      ...numbered(order),
    }),

    outlookCode: ({ code, minutes }: { code: string; minutes: number }): Letter => {
      const spaced = `${code.slice(0, 4)} ${code.slice(4)}`;
      return {
        subject: text("mail.codeSubject"),
        preheader: text("mail.codePreheader", { minutes }),
        paragraphs: [
          text("mail.code", { code: spaced, minutes }),
          text("mail.codeWhy"),
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
      ],
      button: open(link),
      ...(order !== null && billOf(order, text)),
      ...asideOf(invoice),
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
      ...(order !== null && billOf(order, text)),
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
      const { name, domain, daysLeft: count } = notice;
      return {
        subject: text("mail.reminderSubject", { name, domain, count }),
        preheader: text("mail.reminderPreheader"),
        paragraphs: [
          text("mail.reminderEnds", {
            name,
            domain,
            licences: seats(notice.quantity),
            date: formatDate(notice.end, notice.country, language),
            count,
          }),
          ...costOf(notice, text),
          text("mail.reminderEarly", { seats: seatsOf(notice, text) }),
        ],
        button: { label: text("mail.renew"), link },
        ...priceOf(notice, text),
        country: notice.country,
      };
    },

    subscriptionEnded: ({ notice, link }: { notice: Notice; link: string }): Letter => ({
      subject: text("mail.endedSubject", { name: notice.name, domain: notice.domain }),
      preheader: text("mail.endedPreheader"),
      paragraphs: [endedOn(notice, language), ...costOf(notice, text), text("mail.endedRenew")],
      button: { label: text("mail.renew"), link },
      ...priceOf(notice, text),
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
          ...costOf(notice, text),
          text("mail.extendedRenew"),
        ],
        button: { label: text("mail.renew"), link },
        ...priceOf(notice, text),
        country: notice.country,
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
  }: {
    order: Order | null;
    what: string;
    toDo?: readonly string[] | undefined;
  }): Letter => ({
    subject: order === null ? "The store needs attention" : `An order needs attention: ${orderNumber(order)}`,
    preheader: what.slice(0, 120),
    isToOperator: true,
    paragraphs: [
      what,
      ...(order === null
        ? []
        : [
            `Order ${orderNumber(order)}: ${order.line.name} x ${order.line.quantity}, ${formatMoney(order.total)}`,
            `Stage ${order.stage}, payment ${order.paymentStatus}, fulfilment ${order.fulfilmentStatus}`,
            `Buyer: ${order.account?.companyName ?? "unknown"}, ${order.account?.email ?? "no address"}`,
          ]),
      ...toDo,
    ],
  }),

  vendorNotice: ({ subject, paragraphs }: { subject: string; paragraphs: readonly string[] }): Letter => ({
    subject,
    preheader: (paragraphs[0] ?? "").slice(0, 120),
    isToOperator: true,
    paragraphs,
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
  if (role === "owner") return text("mail.inviteAsOwner", values);
  return role === "buyer" ? text("mail.inviteAsBuyer", values) : text("mail.inviteAsViewer", values);
}

function doneSubject(order: Order | null, name: string, text: Text): string {
  if (order?.kind === "ADD") return text("mail.addedSubject", { name });
  return order?.kind === "RENEW" ? text("mail.renewedSubject", { name }) : text("mail.doneSubject", { name });
}

/** The lines of what was paid, and the amount. */
function billOf(order: Order, text: Text): { bill: Row[]; amount: Row } {
  const { tax } = countries[order.country].invoicing;
  const rate = order.taxRateBasisPoints / 100;
  return {
    bill: [
      {
        label: `${order.line.name}, ${text("orders.licences", { count: order.line.quantity })}`,
        value: formatExact(order.subtotal),
      },
      ...(tax.kind === "none"
        ? []
        : [
            {
              label: text("mail.tax", { name: tax.kind === "gst" ? "GST" : tax.name, rate }),
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
function costOf({ quantity, term, cost }: Notice, text: Text): string[] {
  if (cost === null) return [];
  const values = { licences: text("orders.licences", { count: quantity }) };
  const price = formatMoney(cost.subtotal);
  const total = formatMoney(cost.total);
  const isMonth = term === "P1M";
  if (cost.tax.minor === 0) {
    return [text(isMonth ? "mail.costsMonth" : "mail.costsYear", { ...values, price: total })];
  }
  return [text(isMonth ? "mail.costsMonthTaxed" : "mail.costsYearTaxed", { ...values, price, total })];
}

function priceOf({ cost }: Notice, text: Text): Pick<Letter, "amount"> {
  if (cost === null) return {};
  const label = text(cost.tax.minor === 0 ? "mail.renewalTotalUntaxed" : "mail.renewalTotal");
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
  const account = order?.details.addedTo ?? text("mail.yourAccount");
  if (order?.kind === "ADD") return text("mail.whereAdded", { account });
  if (order?.kind === "RENEW") {
    const { addedTo } = order.details;
    return addedTo === undefined
      ? text("mail.whereRenewedOwn")
      : text("mail.whereRenewed", { account: addedTo });
  }
  if (order?.signIn?.mode === "existing") {
    return text("mail.whereExisting", { username: order.signIn.username });
  }
  const moved = order === null ? null : families[order.family].movedWords(order);
  if (moved !== null) return tell(language, moved);
  if (order !== null && order.kind !== "NEW" && order.signIn === null) {
    return text("mail.whereBase", { account });
  }
  return text("mail.whereNew");
}

/** The buyer's name for a reader who did not ask for the mail: an administrator who is to confirm the order. */
export function nameForStrangers(company: string, language: LanguageId): string {
  const name = plainName(company);
  return name === null ? textIn(language)("mail.aCompany") : `“${name}”`;
}

function whatIsMissing(order: Order | null, text: Text): string {
  if (order?.details.signInProblem !== undefined) return order.details.signInProblem;
  if (order?.signIn?.mode === "existing") {
    return text("mail.signInConfirm", { username: order.signIn.username });
  }
  return text("mail.signInMissing");
}
