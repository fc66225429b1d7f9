/** A statement of account as formatted text in its reader's language. The page and the PDF show exactly this. */
import type { BookEntry, TimeRange } from "#db/billing/books.ts";
import type { Money } from "#db/money.ts";
import { money } from "#db/money.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Supplier } from "#server/billing/documents/supplier.ts";
import { datingCountry, type Party } from "#server/billing/documents/view.ts";
import { formatExact } from "#server/catalogue/pricing/format.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { Translate } from "#server/foundation/languages/messages.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { orderNumber } from "#server/orders/number.ts";
import { formatDate } from "#server/orders/subscriptions/dates.ts";
import type { StatementLine, StatementSection } from "./statement.ts";

export interface StatementLineView {
  id: string;
  date: string;
  what: string;
  order: string;
  /** Either `charged` or `settled` has the amount; the other one is empty. */
  charged: string;
  settled: string;
  balance: string;
}

export interface StatementSectionView {
  label: string;
  opening: { label: string; value: string };
  lines: StatementLineView[];
  totals: { label: string; value: string; strong: boolean }[];
  /** The meaning of the closing balance, as a sentence. */
  means: string;
}

export interface StatementView {
  language: LanguageId;
  title: string;
  /** The period as text, which identifies the statement. */
  number: string;
  /** "statement-2026-04-01-2027-03-31.pdf" */
  fileName: string;
  supplier: Party;
  of: { label: string; name: string };
  facts: { label: string; value: string }[];
  columns: Record<"date" | "what" | "order" | "charged" | "settled" | "balance", string>;
  sections: StatementSectionView[];
  note: string;
}

interface Said {
  /** Name of the account's owner. */
  name: string;
  country: Country;
  supplier: Supplier;
  span: TimeRange;
  days: { from: string; to: string };
  sections: readonly StatementSection[];
  now: Date;
  language: LanguageId;
}

export function statementView(said: Said): StatementView {
  const { name, country, supplier, span, days, sections, now, language } = said;
  const text = textIn(language);
  const date = (at: Date, of: Country = country) => formatDate(at, of, language);
  const lastDay = new Date(span.before.getTime() - 1);
  const time = text("books.ofTime", { from: date(span.from), to: date(lastDay) });
  const gstin = supplier.gst === null ? [] : [text("invoice.gstin", { gstin: supplier.gst.gstin })];
  return {
    language,
    title: text("books.statement"),
    number: time,
    fileName: `statement-${days.from}-${days.to}.pdf`,
    supplier: { name: supplier.name, lines: [...supplier.addressLines, ...gstin] },
    of: { label: text("books.of"), name },
    facts: [
      { label: text("books.period"), value: time },
      { label: text("books.madeOn"), value: date(now) },
    ],
    columns: {
      date: text("books.date"),
      what: text("books.what"),
      order: text("books.order"),
      charged: text("books.charged"),
      settled: text("books.settled"),
      balance: text("books.balance"),
    },
    sections: sections.map((section) => sectionView(section, text, date)),
    note: text("books.statementNote"),
  };
}

function sectionView(
  { currency, opening, lines, charged, settled, closing }: StatementSection,
  text: Translate,
  date: (at: Date, of?: Country) => string,
): StatementSectionView {
  return {
    label: text("books.lines", { currency }),
    opening: { label: text("books.opening"), value: formatExact(opening) },
    lines: lines.map((line) => lineView(line, text, date)),
    totals: [
      { label: text("books.allCharged"), value: formatExact(charged), strong: false },
      { label: text("books.allSettled"), value: formatExact(settled), strong: false },
      { label: text("books.closing"), value: formatExact(closing), strong: true },
    ],
    means: meaningOf(closing, text),
  };
}

function meaningOf(closing: Money, text: Translate): string {
  if (closing.minor === 0) return text("books.nothingOpen");
  const amount = formatExact(money(Math.abs(closing.minor), closing.currency));
  return text(closing.minor > 0 ? "books.youOwe" : "books.weOwe", { amount });
}

const words = {
  invoice: "books.entryInvoice",
  payment: "books.entryPayment",
  withheld: "books.entryWithheld",
  "credit-note": "books.entryCreditNote",
  refund: "books.entryRefund",
  "taken-back": "books.entryTakenBack",
} as const satisfies Record<BookEntry["kind"], string>;

function lineView(
  { entry, balance }: StatementLine,
  text: Translate,
  date: (at: Date, of?: Country) => string,
): StatementLineView {
  const { kind, at, reference, amountMinor, currency, orderCount, orderedAt, document } = entry;
  const amount = formatExact(money(Math.abs(amountMinor), currency));
  return {
    id: `${kind} ${reference} ${entry.orderId} ${at.getTime()}`,
    date: document === null ? date(at) : date(at, datingCountry(document.country, document.isOfGst)),
    what: text(words[kind], { reference }).trim().replace(/,$/, ""),
    order: orderNumber({ number: orderCount, createdAt: orderedAt }),
    charged: amountMinor > 0 ? amount : "",
    settled: amountMinor > 0 ? "" : amount,
    balance: formatExact(balance),
  };
}
