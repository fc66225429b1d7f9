import type { Order } from "#db/orders/order.ts";
import type { Credentials } from "#server/accounts/credentials/credentials.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { brand } from "#server/foundation/brand.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { textIn, translate } from "#server/foundation/languages/text.ts";
import { translateSignInProblem } from "#server/fulfilment/buyer-notes.ts";
import { orderNumber } from "#server/orders/number.ts";
import { isPaid } from "#server/orders/payment-state.ts";
import type { MailContent } from "../layout.ts";
import type { NewAccount } from "../new-account.ts";
import { nameForStrangers, priceSummaryRows, sharedTextsIn, store } from "./shared.ts";

export function orderTemplatesIn(language: LanguageId) {
  const { text, seats, nameOf, numbered, asideOf, open } = sharedTextsIn(language);
  return {
    resumeOrder: ({ order, link }: { order: Order | null; link: string }): MailContent => ({
      subject: text("mail.resumeSubject", { name: nameOf(order) }),
      preheader: text("mail.resumePreheader"),
      paragraphs: [text("mail.resumeBegun", { name: nameOf(order) }), text("mail.resumeLink")],
      button: { label: text("mail.continueOrder"), link },
      ...numbered(order),
    }),

    signInReminder: ({
      order,
      link,
      isPaidByAnother = false,
    }: {
      order: Order | null;
      link: string;
      /** Whether another person has paid, so that no page has led the buyer to the sign-in. */
      isPaidByAnother?: boolean;
    }): MailContent => ({
      subject: text("mail.signInSubject", { name: nameOf(order) }),
      preheader: text("mail.signInPreheader"),
      paragraphs: [
        isPaidByAnother
          ? text("mail.signInOrderPaid", { name: nameOf(order) })
          : text("mail.signInPaid", { name: nameOf(order) }),
        whatIsMissing(order, language),
      ],
      button: { label: isPaidByAnother ? text("mail.chooseAccount") : text("mail.finishOrder"), link },
      afterwards: [text("mail.worksOnceSignsIn")],
      ...numbered(order),
    }),

    orderConfirmation: ({
      order,
      link,
      invoice,
      made = null,
    }: {
      order: Order | null;
      link: string;
      invoice: string | null;
      /** Account that was created for the order; null if none was. */
      made?: NewAccount | null;
    }): MailContent => ({
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
          : families[order.family].remainingSteps(order).map((sentence) => translate(language, sentence))),
        ...windowAhead(order, text),
      ],
      ...(made !== null && {
        facts: [{ label: text("closure.username"), value: made.username }],
        tasks: { title: text("closure.toDo"), all: made.tasks.map((task) => translate(language, task)) },
      }),
      button: open(link),
      ...(order !== null && priceSummaryRows(order, language)),
      ...asideOf(invoice),
      ...numbered(order),
    }),

    orderDelayed: ({
      order,
      said,
      link,
    }: {
      order: Order | null;
      said: string;
      link: string;
    }): MailContent => ({
      subject: text("mail.delayedSubject", { name: nameOf(order) }),
      preheader: text("mail.delayedPreheader"),
      paragraphs: [said, text("mail.delayedSafe")],
      button: open(link),
      ...numbered(order),
    }),

    correctionNeeded: ({ order, problem }: { order: Order | null; problem: string }): MailContent => ({
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
      /** Name of the product that the link opens. */
      name: string;
      link: string;
      access: Credentials | null;
      invoice: string | null;
    }): MailContent => ({
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
      ...(order !== null && priceSummaryRows(order, language)),
      ...asideOf(invoice),
      ...numbered(order),
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
      /** Address of the administrator's sign-in; null when a DNS record is the proof. */
      signsInAt: string | null;
      days: number;
      link: string;
    }): MailContent => {
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
    }): MailContent => ({
      subject: text("mail.confirmedSubject", { domain }),
      preheader: text("mail.confirmedPreheader", { domain }),
      paragraphs: [
        text("mail.confirmedBy", { domain, name: nameOf(order) }),
        order !== null && isPaid(order) ? text("mail.confirmedGoesOn") : text("mail.confirmedPay"),
      ],
      button: open(link),
      ...numbered(order),
    }),
  } as const;
}

function windowAhead(order: Order | null, text: Translate): string[] {
  const after = order?.details.renewal?.after;
  if (order === null || order.paidAt === null || after === undefined) return [];
  const { reduce } = families[order.family].returns;
  if ("never" in reduce || new Date(after) <= order.paidAt) return [];
  return [text("mail.windowAhead", { hours: reduce.hours })];
}

function doneSubject(order: Order | null, name: string, text: Translate): string {
  if (order?.kind === "ADD") return text("mail.addedSubject", { name });
  return order?.kind === "RENEW" ? text("mail.renewedSubject", { name }) : text("mail.doneSubject", { name });
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
  if (moved !== null) return translate(language, moved);
  if (order !== null && (order.kind !== "NEW" || account !== undefined) && order.signIn === null) {
    return account === undefined ? text("mail.whereBaseOwn") : text("mail.whereBase", { account });
  }
  return text("mail.whereNew");
}

function whatIsMissing(order: Order | null, language: LanguageId): string {
  const text = textIn(language);
  const problem = order === null ? null : translateSignInProblem(language, order);
  if (problem !== null) return problem;
  if (order?.signIn?.mode === "existing") {
    return text("mail.signInConfirm", { username: order.signIn.username });
  }
  return text("mail.signInMissing");
}
