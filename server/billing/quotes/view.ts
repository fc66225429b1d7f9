/** A quote as formatted text in its own language: an invoice's view with its end, and the way to accept it. */

import { money } from "#db/money.ts";
import { type QrCode, qrOf } from "#server/billing/documents/qr.ts";
import { type InvoiceView, invoiceView, referenceLines } from "#server/billing/documents/view.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import { formatQuoteNumber, type IssuedQuote } from "./quote.ts";

export function formatQuoteTotal({ facts }: Pick<IssuedQuote, "facts">): string {
  return formatMoney(money(facts.totalMinor, facts.currency));
}

/** Formats a quote. @param publicUrl the store's, for the link and its QR code */
export function quoteView(quote: IssuedQuote, publicUrl: string): InvoiceView {
  const { orderId, issuedAt, language, facts } = quote;
  const number = formatQuoteNumber(quote);
  const text = textIn(language);
  const date = (at: Date) => formatDate(at, facts.country, language);
  const link = `${publicUrl}${paths.quote(quote.id)}`;
  const qr: QrCode & { label: string } = { ...qrOf(link), label: text("quotes.qr") };
  return {
    ...invoiceView({ number, orderId, issuedAt, language, facts }),
    title: text("quotes.title"),
    fileName: `quote-${number.replaceAll("/", "-")}.pdf`,
    billedTo: text("quotes.quotedTo"),
    facts: [
      { label: text("quotes.number"), value: number },
      { label: text("quotes.date"), value: date(issuedAt) },
      { label: text("paying.validUntil"), value: date(quote.validUntil) },
      { label: text("invoice.order"), value: facts.orderNumber ?? orderId },
      ...referenceLines(text, facts.references),
      ...(facts.transferReference === null
        ? []
        : [{ label: text("quotes.transferReference"), value: facts.transferReference }]),
    ],
    registration: { notice: null, facts: [{ label: text("quotes.accept"), value: link }], qr },
    closing: [
      text("quotes.holds", { date: date(quote.validUntil) }),
      text("quotes.notTaxInvoice"),
      text("invoice.questions", { email: facts.supplier.email }),
    ],
  };
}
