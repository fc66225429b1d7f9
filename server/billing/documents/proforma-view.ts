/** A proforma as formatted text in its own language: an invoice's view with the amount, the bank account and the end date. */
import { money } from "#db/money.ts";
import { formatExact, formatMoney } from "#server/catalogue/pricing/format.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { Bank, Proforma } from "./proforma.ts";
import { type InvoiceView, invoiceView, referenceLines } from "./view.ts";

/** Formats a proforma. @param bank the virtual account, which is open by now */
export function proformaView(proforma: Proforma, bank: Bank): InvoiceView {
  const { number, issuedAt, language, facts } = proforma;
  const text = textIn(language);
  const view = invoiceView({ number, orderId: proforma.orderId, issuedAt, language, facts });
  const date = (at: Date) => formatDate(at, facts.country, language);
  return {
    ...view,
    title: text("paying.proforma"),
    fileName: `proforma-${number.replaceAll("/", "-")}.pdf`,
    facts: [
      { label: text("paying.proformaNumber"), value: number },
      { label: text("paying.proformaDate"), value: date(issuedAt) },
      { label: text("paying.validUntil"), value: date(proforma.validUntil) },
      { label: text("invoice.order"), value: facts.orderNumber ?? proforma.orderId },
      ...referenceLines(text, facts.references),
      ...bankLines(proforma, bank),
    ],
    closing: [text("paying.notTaxInvoice"), text("invoice.questions", { email: facts.supplier.email })],
  };
}

/**
 * Formats the amount still to transfer, also as a bank's form accepts it, and the amount received: null before a part has
 * arrived.
 */
export function transferAmounts(
  { facts: { totalMinor, currency } }: Proforma,
  dueMinor: number,
): { due: string; typed: string; received: string | null; total: string } {
  const receivedMinor = totalMinor - dueMinor;
  return {
    due: formatExact(money(dueMinor, currency)),
    typed: (dueMinor / 100).toFixed(2),
    received: receivedMinor === 0 ? null : formatMoney(money(receivedMinor, currency)),
    total: formatMoney(money(totalMinor, currency)),
  };
}

/**
 * Formats the details that a buyer types into a bank's form.
 * @param dueMinor amount still to transfer in minor units, once a part of the total has arrived
 */
export function bankLines(
  proforma: Proforma,
  bank: Bank,
  dueMinor = proforma.facts.totalMinor,
): { label: string; value: string }[] {
  const { facts, language } = proforma;
  const text = textIn(language);
  return [
    { label: text("paying.beneficiary"), value: bank.beneficiary },
    { label: text("paying.accountNumber"), value: bank.number },
    { label: text("paying.ifsc"), value: bank.ifsc },
    ...(bank.bank === null ? [] : [{ label: text("paying.bank"), value: bank.bank }]),
    { label: text("paying.toTransfer"), value: formatExact(money(dueMinor, facts.currency)) },
    { label: text("paying.reference"), value: facts.orderNumber ?? proforma.number },
  ];
}
