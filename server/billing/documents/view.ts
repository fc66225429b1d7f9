/** An invoice or a credit note as formatted text in its own language. The page and the PDF show exactly this. */

import { money } from "#db/money.ts";
import type { OrderReferences } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import { countries, gstCountry } from "#server/foundation/countries/registry.ts";
import { assertNever } from "#server/foundation/errors.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { textIn, translate } from "#server/foundation/languages/text.ts";
import { noReferences } from "#server/orders/references.ts";
import { dateView, formatDate, formatTime } from "#server/orders/subscriptions/dates.ts";
import type { CreditNote } from "./credit-note.ts";
import type { InvoiceFacts } from "./facts.ts";
import type { Invoice } from "./issue.ts";
import { type QrCode, qrOf } from "./qr.ts";
import type { Registration } from "./registration.ts";

export interface Party {
  name: string;
  lines: string[];
}

export interface InvoiceView {
  language: LanguageId;
  title: string;
  number: string;
  /** Such as "invoice-IN-26-27-000001.pdf". */
  fileName: string;
  facts: { label: string; value: string }[];
  supplier: Party;
  /** The heading above the recipient. */
  billedTo: string;
  recipient: Party;
  columns: {
    description: string;
    /** Null without GST, when there is no such column. */
    sac: string | null;
    /** Null on a credit note for an amount, which has neither this column nor `unitPrice`. */
    licences: string | null;
    unitPrice: string | null;
    amount: string;
  };
  lines: {
    description: string;
    notes: string[];
    sac: string | null;
    quantity: string;
    unitPrice: string;
    amount: string;
  }[];
  totals: { label: string; value: string; strong: boolean }[];
  /** Registration details; null for a document that needs none. */
  registration: {
    /** Notice at the top; null for a registered document. */
    notice: string | null;
    facts: { label: string; value: string }[];
    /** The signed QR code with its text alternative. */
    qr: (QrCode & { label: string }) | null;
  } | null;
  /** Endorsements of a supply abroad or to a special economic zone; empty for any other. */
  endorsements: string[];
  /** The total spelled out; null in countries whose invoices omit it. */
  words: string | null;
  signature: { company: string; signatory: string };
  closing: string[];
}

/** Formats an invoice. @param registration its state at the invoice registration portal */
export function invoiceView(
  invoice: Omit<Invoice, "replacedBy">,
  registration: Registration = { state: "not_needed" },
): InvoiceView {
  const { number, issuedAt, language, facts } = invoice;
  const text = textIn(language);
  const date = datesOf(invoice);
  return viewOf(invoice, registration, {
    title: documentTitle(text, facts),
    file: "invoice",
    opening: [
      { label: text("invoice.number"), value: number },
      { label: text("invoice.date"), value: date(issuedAt) },
      ...(facts.replaces === undefined
        ? []
        : [
            {
              label: text("invoice.replaces"),
              value: text("invoice.replaced", {
                number: facts.replaces.number,
                date: date(new Date(facts.replaces.issuedAt)),
              }),
            },
          ]),
    ],
    ending:
      facts.paidAt === null ? [] : [{ label: text("invoice.paid"), value: date(new Date(facts.paidAt)) }],
    counts: true,
    words: { billedTo: "invoice.billedTo", total: "invoice.total", noSignature: "invoice.noSignature" },
  });
}

/** Formats a credit note. @param registration its state at the invoice registration portal */
export function creditNoteView(
  note: CreditNote,
  registration: Registration = { state: "not_needed" },
): InvoiceView {
  const { number, issuedAt, language, facts } = note;
  const { invoice, reason } = facts;
  const text = textIn(language);
  const date = datesOf(note);
  return viewOf(note, registration, {
    title: text("creditNote.title"),
    file: "credit-note",
    opening: [
      { label: text("creditNote.number"), value: number },
      { label: text("creditNote.date"), value: date(issuedAt) },
      { label: text("creditNote.invoiceNumber"), value: invoice.number },
      {
        label: text("creditNote.invoiceDate"),
        value: date(new Date(invoice.issuedAt)),
      },
    ],
    ending: [{ label: text("creditNote.reason"), value: reason }],
    counts: facts.licences !== undefined,
    words: {
      billedTo: "creditNote.billedTo",
      total: "creditNote.total",
      noSignature: "creditNote.noSignature",
    },
  });
}

/** The differences between an invoice and a credit note. */
interface Kind {
  title: string;
  /** Prefix of the file name. */
  file: string;
  /** The facts before and after those that both kinds have. */
  opening: InvoiceView["facts"];
  ending: InvoiceView["facts"];
  /** Whether its lines are licences at a price, not only amounts. */
  counts: boolean;
  words: {
    billedTo: "invoice.billedTo" | "creditNote.billedTo";
    total: "invoice.total" | "creditNote.total";
    noSignature: "invoice.noSignature" | "creditNote.noSignature";
  };
}

/** Returns the country whose clock dates a document: the tax office's for GST, wherever the buyer is. */
export function datingCountry(country: Country, isOfGst: boolean): Country {
  return isOfGst ? gstCountry : country;
}

/** Returns the printed day of an invoice, a credit note or a proforma: "2026-04-01". */
export function documentDay({ facts, issuedAt }: Pick<Invoice, "facts" | "issuedAt">): string {
  return dateView(issuedAt, datingCountry(facts.country, facts.supply !== undefined)).iso;
}

function datesOf({ facts, language }: Pick<Invoice, "facts" | "language">): (at: Date) => string {
  return (at) => formatDate(at, datingCountry(facts.country, facts.supply !== undefined), language);
}

function viewOf(
  document: Omit<Invoice, "issuedAt" | "replacedBy">,
  registration: Registration,
  kind: Kind,
): InvoiceView {
  const { number, orderId, language, facts } = document;
  const date = datesOf(document);
  const { country, currency, placeOfSupply: place, supplier } = facts;
  const text = textIn(language);
  const exact = (minor: number) => formatExact(money(minor, currency));
  const isTaxInvoice = place !== null;
  const total = (label: string, minor: number) => ({ label, value: exact(minor), strong: false });
  return {
    language,
    title: kind.title,
    number,
    fileName: `${kind.file}-${number.replaceAll("/", "-")}.pdf`,
    facts: [
      ...kind.opening,
      ...(isTaxInvoice
        ? [
            { label: text("invoice.placeOfSupply"), value: `${place.name} (${place.code})` },
            { label: text("invoice.reverseCharge"), value: text("invoice.notReversed") },
          ]
        : []),
      { label: text("invoice.order"), value: facts.orderNumber ?? orderId },
      ...referenceLines(text, facts.references),
      ...kind.ending,
      ...(facts.servicePeriod === undefined
        ? []
        : [{ label: text("invoice.servicePeriod"), value: periodIn(text, facts.servicePeriod, date) }]),
    ],
    supplier: party(supplier, text),
    billedTo: text(kind.words.billedTo),
    recipient: party(facts.recipient, text),
    columns: {
      description: text("invoice.description"),
      sac: facts.lines.some(({ sac }) => sac !== null) ? text("invoice.sac") : null,
      licences: kind.counts ? text("invoice.licences") : null,
      unitPrice: kind.counts ? text("invoice.unitPrice") : null,
      amount: text(isTaxInvoice ? "invoice.taxableValue" : "invoice.amount"),
    },
    lines: facts.lines.map(({ description, notes, sac, quantity, unitPriceMinor, amountMinor }) => ({
      description,
      notes,
      sac,
      quantity: String(quantity),
      unitPrice: exact(unitPriceMinor),
      amount: exact(amountMinor),
    })),
    totals: [
      total(text(isTaxInvoice ? "invoice.taxableValue" : "invoice.subtotal"), facts.subtotalMinor),
      ...facts.taxes.map(({ name, rateBasisPoints, amountMinor }) =>
        total(text("invoice.tax", { name, rate: rateBasisPoints / 100 }), amountMinor),
      ),
      ...(facts.roundingMinor === 0 ? [] : [total(text("invoice.rounding"), facts.roundingMinor)]),
      { label: text(kind.words.total, { currency }), value: exact(facts.totalMinor), strong: true },
      ...valueInTaxCurrency(text, facts),
    ],
    registration: registrationIn(text, registration, language),
    endorsements: endorsementsIn(text, facts),
    words: countries[country].invoicing.inWords?.[language](facts.totalMinor) ?? null,
    signature: {
      company: text("invoice.signedFor", { company: supplier.name }),
      signatory: supplier.signatory,
    },
    closing: [text(kind.words.noSignature), text("invoice.questions", { email: supplier.email })],
  };
}

/** Formats the buyer's own references, one line for each that was given. */
export function referenceLines(
  text: Translate,
  references: OrderReferences | undefined,
): { label: string; value: string }[] {
  const { purchaseOrder, costCentre, note } = references ?? noReferences;
  return [
    ...(purchaseOrder === null ? [] : [{ label: text("invoice.purchaseOrder"), value: purchaseOrder }]),
    ...(costCentre === null ? [] : [{ label: text("invoice.costCentre"), value: costCentre }]),
    ...(note === null ? [] : [{ label: text("invoice.note"), value: note }]),
  ];
}

function periodIn(
  text: Translate,
  { from, to }: NonNullable<InvoiceFacts["servicePeriod"]>,
  date: (at: Date) => string,
): string {
  return text("invoice.fromTo", { from: date(new Date(from)), to: date(new Date(to)) });
}

function valueInTaxCurrency(
  text: Translate,
  { currency, inTaxCurrency }: InvoiceFacts,
): InvoiceView["totals"] {
  if (inTaxCurrency === undefined || inTaxCurrency.currency === currency) return [];
  const { currency: taxed, rateTenThousandths, totalMinor } = inTaxCurrency;
  const rate = String(rateTenThousandths / 10_000);
  const label = text("invoice.totalAtRate", { currency: taxed, from: currency, rate });
  return [{ label, value: formatExact(money(totalMinor, taxed)), strong: false }];
}

function endorsementsIn(text: Translate, { supply }: InvoiceFacts): string[] {
  const endorsement = supply?.endorsement ?? null;
  const letter = supply?.letter ?? null;
  return [
    ...(endorsement === null ? [] : [endorsement]),
    ...(letter === null ? [] : [text("invoice.letter", { number: letter })]),
  ];
}

function registrationIn(
  text: Translate,
  registration: Registration,
  language: LanguageId,
): InvoiceView["registration"] {
  switch (registration.state) {
    case "not_needed":
      return null;
    case "pending":
      return { notice: text("invoice.beingRegistered"), facts: [], qr: null };
    case "failed":
      return {
        notice: text("refusedDocuments.notice", { problem: translate(language, registration.problem) }),
        facts: [],
        qr: null,
      };
    case "withdrawn":
      return { notice: text("refusedDocuments.withdrawn"), facts: [], qr: null };
    case "final":
    case "cancelled": {
      const { irn, ackNumber, acknowledgedAt, signedQr } = registration;
      const when = [formatDate, formatTime].map((format) => format(acknowledgedAt, gstCountry, language));
      return {
        notice: registration.state === "cancelled" ? text("invoice.cancelled") : null,
        facts: [
          { label: text("invoice.irn"), value: irn },
          { label: text("invoice.ackNumber"), value: ackNumber },
          { label: text("invoice.ackDate"), value: when.join(", ") },
        ],
        qr: { ...qrOf(signedQr), label: text("invoice.qr") },
      };
    }
    default:
      return assertNever(registration);
  }
}

/** Returns the invoice's title: in its own language on the document, in the visitor's in a page title. */
export function documentTitle(text: Translate, { placeOfSupply }: Invoice["facts"]): string {
  return text(placeOfSupply === null ? "invoice.title" : "invoice.taxTitle");
}

function party({ name, addressLines, gstin }: Invoice["facts"]["recipient"], text: Translate): Party {
  return { name, lines: [...addressLines, ...(gstin === null ? [] : [text("invoice.gstin", { gstin })])] };
}
