/** An invoice as formatted text: the page and the PDF show this and nothing else. */

import { money } from "#db/money.ts";
import { countries } from "#server/countries/country.ts";
import { formatExact } from "#server/pricing/format.ts";
import { formatDate } from "#server/subscriptions/dates.ts";
import type { Invoice } from "./issue.ts";

export interface Party {
  name: string;
  lines: string[];
}

export interface InvoiceView {
  title: "Tax Invoice" | "Invoice";
  number: string;
  /** "invoice-IN-26-27-000001.pdf" */
  fileName: string;
  facts: { label: string; value: string }[];
  supplier: Party;
  recipient: Party;
  amountLabel: string;
  lines: {
    description: string;
    notes: string[];
    /** Null on an invoice without GST, which has no such column. */
    sac: string | null;
    quantity: string;
    unitPrice: string;
    amount: string;
  }[];
  totals: { label: string; value: string; strong: boolean }[];
  /** The total in words; null in countries whose invoices omit it. */
  words: string | null;
  signature: { company: string; signatory: string };
  closing: string[];
}

export function invoiceView({ number, orderId, issuedAt, facts }: Invoice): InvoiceView {
  const { country, currency, placeOfSupply: place } = facts;
  const exact = (minor: number) => formatExact(money(minor, currency));
  const isTaxInvoice = place !== null;
  const total = (label: string, minor: number) => ({ label, value: exact(minor), strong: false });
  return {
    title: isTaxInvoice ? "Tax Invoice" : "Invoice",
    number,
    fileName: `invoice-${number.replaceAll("/", "-")}.pdf`,
    facts: [
      { label: "Invoice number", value: number },
      { label: "Invoice date", value: formatDate(issuedAt, country) },
      ...(isTaxInvoice
        ? [
            { label: "Place of supply", value: `${place.name} (${place.code})` },
            { label: "Tax payable on reverse charge", value: "No" },
          ]
        : []),
      { label: "Order", value: facts.orderNumber ?? orderId },
      ...(facts.paidAt === null
        ? []
        : [{ label: "Paid", value: formatDate(new Date(facts.paidAt), country) }]),
    ],
    supplier: party(facts.supplier),
    recipient: party(facts.recipient),
    amountLabel: isTaxInvoice ? "Taxable value" : "Amount",
    lines: facts.lines.map(({ description, notes, sac, quantity, unitPriceMinor, amountMinor }) => ({
      description,
      notes,
      sac,
      quantity: String(quantity),
      unitPrice: exact(unitPriceMinor),
      amount: exact(amountMinor),
    })),
    totals: [
      total(isTaxInvoice ? "Taxable value" : "Subtotal", facts.subtotalMinor),
      ...facts.taxes.map(({ name, rateBasisPoints, amountMinor }) =>
        total(`${name} ${rateBasisPoints / 100}%`, amountMinor),
      ),
      ...(facts.roundingMinor === 0 ? [] : [total("Rounding", facts.roundingMinor)]),
      { label: `Total (${currency})`, value: exact(facts.totalMinor), strong: true },
    ],
    words: countries[country].invoicing.inWords?.(facts.totalMinor) ?? null,
    signature: { company: `For ${facts.supplier.name}`, signatory: facts.supplier.signatory },
    closing: [
      "This is a computer-generated invoice and is valid without a written signature.",
      `Questions? Write to ${facts.supplier.email}.`,
    ],
  };
}

function party({ name, addressLines, gstin }: Invoice["facts"]["recipient"]): Party {
  return { name, lines: [...addressLines, ...(gstin === null ? [] : [`GSTIN ${gstin}`])] };
}
