/** Mails about money: invoices, credit notes, refunds, transfers, and copies of documents for billing contacts. */
import { z } from "zod";
import type { Refund } from "#db/billing/refunds.ts";
import { money } from "#db/money.ts";
import type { Order, OrderReferences } from "#db/orders/order.ts";
import type { CreditNote } from "#server/billing/documents/credit-note.ts";
import { referenceLines } from "#server/billing/documents/view.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { brand } from "#server/foundation/brand.ts";
import { assertNever } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { translate } from "#server/foundation/languages/text.ts";
import { afterPayment } from "#server/fulfilment/buyer-notes.ts";
import type { Attachment } from "#server/integrations/smtp.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { ContentRow, MailContent } from "../layout.ts";
import { sharedTextsIn } from "./shared.ts";

/** Data of the mail about a transfer: amounts as text. */
export const transferMailSchema = z.object({
  state: z.enum(["part", "full", "over", "withheld", "held"]),
  received: z.string(),
  missing: z.string().default(""),
  withheld: z.string().default(""),
  surplus: z.string().default(""),
});

export function moneyTemplatesIn(language: LanguageId) {
  const { text, seats, nameOf, numbered, open } = sharedTextsIn(language);
  return {
    invoiceReady: ({
      order,
      number,
      link,
    }: {
      order: Order | null;
      number: string;
      link: string;
    }): MailContent => ({
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

    documentRefused: ({
      order,
      number,
      problem,
      link,
    }: {
      order: Order;
      number: string;
      problem: string;
      /** Address of the form that corrects the document. */
      link: string;
    }): MailContent => ({
      subject: text("refusedDocuments.title", { number }),
      preheader: text("refusedDocuments.mailPreheader"),
      paragraphs: [
        text("refusedDocuments.problem", { number, problem }),
        text("refusedDocuments.mailHow"),
        text("refusedDocuments.happens"),
      ],
      button: { label: text("refusedDocuments.edit"), link },
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
      /** Number of the invoice that it replaces. */
      former: string;
      link: string;
      /** Address of the credit note. */
      creditNote: string;
    }): MailContent => ({
      subject: text("corrections.mailSubject", { number }),
      preheader: text("corrections.mailPreheader", { former }),
      paragraphs: [text("corrections.mailWhat", { number, former }), text("corrections.mailBook")],
      button: { label: text("mail.openInvoice"), link },
      aside: { label: text("corrections.mailCreditNote"), link: creditNote },
      ...numbered(order),
    }),

    creditNote: ({
      order,
      note,
      link,
    }: {
      order: Order | null;
      note: CreditNote;
      link: string;
    }): MailContent => {
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
    }): MailContent => ({
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
      refund: Pick<Refund, "amountMinor" | "customerFeeMinor" | "currency" | "status" | "reason" | "method"> &
        Pick<Refund, "providerRefundId" | "bankReference">;
      /** Address of the credit note; null for money that was never invoiced. */
      creditNote: string | null;
      link: string;
    }): MailContent => {
      const amount = formatMoney(money(refund.amountMinor + refund.customerFeeMinor, refund.currency));
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
          translate(language, refund.reason),
          isPaidOut ? text("mail.moneyBackPaidHow") : text("mail.moneyBackHow"),
        ],
        facts: facts.flatMap(({ label, value }) => (value === null ? [] : [{ label, value }])),
        amount: { label: text("mail.amountBack"), value: amount },
        button: creditNote === null ? open(link) : { label: text("mail.creditNote"), link: creditNote },
        ...numbered(order),
      };
    },

    proforma: (input: {
      order: Order;
      total: string;
      lines: ContentRow[];
      until: string;
      link: string;
      pdf: string;
    }): MailContent => ({
      subject: text("paying.mailSubject", { name: nameOf(input.order), total: input.total }),
      preheader: text("paying.mailPreheader", { date: input.until }),
      paragraphs: [
        text("paying.mailHow", { total: input.total }),
        text("paying.mailThen", { date: input.until }),
      ],
      facts: input.lines,
      button: { label: text("paying.openProforma"), link: input.link },
      aside: { label: text("paying.mailPdf"), link: input.pdf },
      ...numbered(input.order),
    }),

    paymentLink: (input: {
      order: Order;
      total: string;
      until: string;
      /** Address of the provider's page. */
      link: string;
      page: string;
    }): MailContent => ({
      subject: text("paying.linkSubject", { name: nameOf(input.order), total: input.total }),
      preheader: text("paying.linkPreheader", { date: input.until }),
      paragraphs: [
        text("paying.linkHow", { total: input.total }),
        text("paying.linkThen", { date: input.until }),
      ],
      button: { label: text("paying.payTotal", { total: input.total }), link: input.link },
      aside: { label: text("paying.linkAside"), link: input.page },
      ...numbered(input.order),
    }),

    transferReceived: (heard: {
      order: Order;
      said: z.output<typeof transferMailSchema>;
      problem: string;
      link: string;
    }): MailContent => {
      const { order, said, problem, link } = heard;
      const { received } = said;
      const next = translate(language, afterPayment(order));
      const isBuyersTurn = order.fulfilmentStatus === "waiting_for_signin";
      const letter = (subject: string, ...paragraphs: string[]): MailContent => ({
        subject,
        preheader: text("paying.inPreheader", { received }),
        paragraphs,
        button: isBuyersTurn ? { label: text("mail.chooseAccount"), link } : open(link),
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
          return letter(arrived, text("paying.arrivedAll", { next }));
        case "over":
          return letter(arrived, text("paying.arrivedOver", { surplus: said.surplus, next }));
        case "withheld":
          return letter(arrived, text("paying.arrivedShort", { withheld: said.withheld, next }));
        default:
          return assertNever(said.state);
      }
    },

    certificateDue: (awaited: {
      order: Order;
      withheld: string;
      date: string;
      due: string;
      link: string;
    }): MailContent => {
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

    billingContact: ({
      company,
      email,
      what,
      link,
    }: {
      /** Name in the form that readers outside the company may see. */
      company: string;
      /** Address of the member who asks; null unless proven. */
      email: string | null;
      what: string;
      link: string;
    }): MailContent => ({
      subject: text("billing.askSubject", { company }),
      preheader: text("billing.askPreheader"),
      paragraphs: [
        text("billing.askWhat", { company: email === null ? company : `${company} (${email})`, what }),
        text("billing.askHow"),
      ],
      button: { label: text("billing.answer"), link },
    }),

    documentCopy: (copy: {
      order: Order;
      company: string;
      /** Kind of document, as titled on it. */
      title: string;
      number: string;
      /** Number of the invoice that a credit note corrects; null for another document. */
      corrects: string | null;
      /** References printed on the document; the order's may have changed since. */
      references: OrderReferences;
      total: string;
      attachment: Attachment;
      link: string;
    }): MailContent => {
      const { order, company, title, number, corrects, references, total, attachment, link } = copy;
      return {
        subject: text("billing.copySubject", { title, number, company }),
        preheader: text("billing.copyPreheader"),
        paragraphs: [text("billing.copyWhat", { title, number, company, total })],
        facts: [
          ...(corrects === null ? [] : [{ label: text("creditNote.invoiceNumber"), value: corrects }]),
          ...referenceLines(text, references),
        ],
        attachments: [attachment],
        button: { label: text("billing.copyStop"), link },
        ...numbered(order),
      };
    },
  } as const;
}

function claimsTax(order: Order | null): boolean {
  return order !== null && order.tax.minor > 0 && order.account?.gst_code != null;
}
