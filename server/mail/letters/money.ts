/** Letters about money: how to pay, what arrived, what is refunded, and the documents. */
import { findEInvoice } from "#db/billing/e-invoices.ts";
import { findIntent } from "#db/billing/payment-intents.ts";
import { findPaymentLink } from "#db/billing/payment-links.ts";
import { findRefund } from "#db/billing/refunds.ts";
import { parseId, type RefundId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { findCreditNote } from "#server/billing/documents/credit-note.ts";
import { findProformaOf } from "#server/billing/documents/proforma.ts";
import { bankLines } from "#server/billing/documents/proforma-view.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { explainRefusal } from "#server/foundation/countries/portal-refusals.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderPath } from "#server/orders/order-path.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { billingContactMail } from "../billing-contact-mail.ts";
import type { MailContent } from "../layout.ts";
import { transferMailSchema } from "../templates/money.ts";
import { invoiceLink, type Letter, type LettersOf, linkTo, orderLink } from "./letter.ts";

export const moneyLetters: LettersOf<
  | "invoice-ready"
  | "document-refused"
  | "invoice-corrected"
  | "order-refunded"
  | "refund"
  | "proforma"
  | "payment-link"
  | "transfer-received"
  | "certificate-due"
  | "credit-note"
  | "billing-contact"
  | "document-copy"
> = {
  "invoice-ready": (letter) =>
    letter.templates.invoiceReady({
      order: letter.order,
      number: letter.facts.number ?? "",
      link: invoiceLink(letter) ?? linkTo(letter, ""),
    }),
  "document-refused": documentRefused,
  "invoice-corrected": (letter) => {
    const { number = "", replaced = "", creditNoteId = "" } = letter.facts;
    return letter.templates.invoiceCorrected({
      order: letter.order,
      number,
      former: replaced,
      link: invoiceLink(letter) ?? linkTo(letter, ""),
      creditNote: linkTo(letter, paths.creditNote(creditNoteId)),
    });
  },
  "order-refunded": (letter) =>
    letter.templates.orderRefunded({
      order: letter.order,
      amount: letter.facts.amount ?? "",
      reason: translate(letter.language, letter.facts.reasonMessage ?? letter.facts.reason ?? ""),
      link: linkTo(letter, paths.subscriptions()),
    }),
  refund: refunded,
  proforma,
  "payment-link": paymentLink,
  "transfer-received": (letter) => {
    const { order, facts, language, templates } = letter;
    if (order === null) return null;
    return templates.transferReceived({
      order,
      said: transferMailSchema.parse(facts),
      problem: translate(language, facts.problem ?? ""),
      link: linkTo(letter, facts.state === "part" ? paths.proforma(order.id) : orderPath(order)),
    });
  },
  "certificate-due": (letter) => {
    const { order, language, templates } = letter;
    if (order === null || order.paidAt === null) return null;
    const { withheld = "", due = "" } = letter.facts;
    return templates.certificateDue({
      order,
      withheld,
      date: formatDate(order.paidAt, order.country, language),
      due: formatDate(new Date(due), order.country, language),
      link: linkTo(letter, paths.proforma(order.id)),
    });
  },
  async "credit-note"(letter) {
    const refundId = parseId<RefundId>(letter.facts.refundId);
    const note = refundId === null ? null : await findCreditNote(letter.context.db, refundId);
    if (note === null) return null;
    const link = linkTo(letter, paths.creditNote(note.id));
    return letter.templates.creditNote({ order: letter.order, note, link });
  },
  "billing-contact": ({ context, mail, order, language }) =>
    billingContactMail(context, mail, order, language),
  "document-copy": ({ context, mail, order, language }) => billingContactMail(context, mail, order, language),
};

async function documentRefused(letter: Letter): Promise<MailContent | null> {
  const { order, facts, language, templates } = letter;
  const document = await findEInvoice(letter.context.db, facts.number ?? "");
  // The buyer or staff have corrected it since.
  if (document?.state !== "failed" || order === null) return null;
  return templates.documentRefused({
    order,
    number: document.number,
    problem: translate(language, explainRefusal(document)),
    link: linkTo(letter, paths.refusedDocument(order.id, document.number)),
  });
}

async function refunded(letter: Letter): Promise<MailContent | null> {
  const { order, facts, templates } = letter;
  const { db } = letter.context;
  const id = parseId<RefundId>(facts.refundId);
  const refund = id === null ? null : await findRefund(db, id);
  // Another mail reports a refund whose status has changed since.
  if (refund === null || refund.status !== facts.status) return null;
  const note = await findCreditNote(db, refund.id);
  return templates.refund({
    order,
    refund,
    creditNote: note === null ? null : linkTo(letter, paths.creditNote(refund.id)),
    link: orderLink(letter),
  });
}

async function proforma(letter: Letter): Promise<MailContent | null> {
  const { order, facts, language, templates } = letter;
  const found = await findProformaOf(letter.context.db, facts.intentId ?? "");
  if (order === null || found === null || found.bank === null) return null;
  return templates.proforma({
    order,
    total: formatMoney(money(found.facts.totalMinor, found.facts.currency)),
    lines: bankLines(found, found.bank),
    until: formatDate(found.validUntil, order.country, language),
    link: linkTo(letter, paths.proforma(order.id)),
    pdf: linkTo(letter, paths.proformaPdf(order.id)),
  });
}

async function paymentLink(letter: Letter): Promise<MailContent | null> {
  const { order, facts, language, templates } = letter;
  const { db } = letter.context;
  const link = await findPaymentLink(db, facts.intentId ?? "");
  const intent = await findIntent(db, { id: facts.intentId ?? "" });
  if (order === null || link === null || intent === null) return null;
  if (intent.isClosed || intent.status === "paid") return null;
  return templates.paymentLink({
    order,
    total: formatMoney(money(intent.amountMinor, intent.currency)),
    until: formatDate(link.expiresAt, order.country, language),
    link: link.url,
    page: linkTo(letter, paths.payAnotherWay(order.id)),
  });
}
