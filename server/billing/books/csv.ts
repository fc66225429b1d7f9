/**
 * A company's books as CSV files for accounting programs. The column names are the same in every language, because programs read
 * them (docs/decisions/books.md#company-books).
 */
import type { BookDocument, BooksOwner, TimeRange } from "#db/billing/books.ts";
import { money } from "#db/money.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { creditNoteFactsSchema } from "#server/billing/documents/credit-note-facts.ts";
import { type InvoiceFacts, invoiceFactsSchema } from "#server/billing/documents/facts.ts";
import { datingCountry, documentDay } from "#server/billing/documents/view.ts";
import { csvHeader, csvLine } from "#server/foundation/csv.ts";
import { orderNumber } from "#server/orders/number.ts";
import { dateView } from "#server/orders/subscriptions/dates.ts";
import { everyDocumentOf } from "./documents.ts";
import { licencesByItem, readLicenceYears } from "./licences.ts";
import type { Books } from "./owner.ts";
import { readStatement } from "./statement.ts";

/** Writes the documents as CSV. Amounts of a credit note are negative, so that a column can be summed. */
export async function* documentsCsv(db: Db, owner: BooksOwner, span: TimeRange): AsyncGenerator<string> {
  yield csvHeader([
    "kind",
    "number",
    "issued",
    "order",
    "corrects",
    "seller",
    "seller gstin",
    "buyer",
    "buyer gstin",
    "place of supply",
    "items",
    "licenses",
    "taxable value",
    "cgst",
    "sgst",
    "igst",
    "other tax",
    "rounding",
    "total",
    "currency",
    "cancelled",
    "purchase order",
    "cost centre",
    "replaced by",
  ]);
  for await (const document of everyDocumentOf(db, owner, span)) yield documentLine(document);
}

function documentLine(document: BookDocument): string {
  const { kind, number, issuedAt, replacedBy, isCancelled } = document;
  const note = kind === "credit-note" ? creditNoteFactsSchema.parse(document.facts) : null;
  const facts: InvoiceFacts = note ?? invoiceFactsSchema.parse(document.facts);
  const sign = kind === "credit-note" ? -1 : 1;
  const amount = (minor: number) => money(minor === 0 ? 0 : sign * minor, facts.currency);
  const tax = (is: (name: string) => boolean) =>
    amount(facts.taxes.reduce((sum, { name, amountMinor }) => sum + (is(name) ? amountMinor : 0), 0));
  const known = (name: string) => /^(?:CGST|SGST|UTGST|IGST)$/.test(name);
  return csvLine([
    kind,
    number,
    documentDay({ facts, issuedAt }),
    facts.orderNumber ?? document.orderId,
    note?.invoice.number ?? facts.replaces?.number ?? null,
    facts.supplier.name,
    facts.supplier.gstin,
    facts.recipient.name,
    facts.recipient.gstin,
    facts.placeOfSupply?.name ?? null,
    [...new Set(facts.lines.map(({ description }) => description))].join(", "),
    note !== null && note.licences === undefined
      ? null
      : facts.lines.reduce((sum, { quantity }) => sum + quantity, 0),
    amount(facts.subtotalMinor),
    tax((name) => name === "CGST"),
    tax((name) => name === "SGST" || name === "UTGST"),
    tax((name) => name === "IGST"),
    tax((name) => !known(name)),
    amount(facts.roundingMinor),
    amount(facts.totalMinor),
    facts.currency,
    isCancelled ? "yes" : "no",
    facts.references?.purchaseOrder ?? null,
    facts.references?.costCentre ?? null,
    replacedBy,
  ]);
}

/**
 * Writes the statement as CSV.
 * @param country time zone of the days of payments and refunds; a document has its printed day
 */
export async function* statementCsv(
  db: Db,
  { owner, country }: Pick<Books, "owner" | "country">,
  span: TimeRange,
): AsyncGenerator<string> {
  const day = (at: Date, of: Country = country) => dateView(at, of).iso;
  const lastDay = day(new Date(span.before.getTime() - 1));
  yield csvHeader([
    "date",
    "what",
    "reference",
    "order",
    "charged",
    "settled",
    "balance",
    "currency",
    "purchase order",
    "cost centre",
  ]);
  for (const { currency, opening, lines, charged, settled, closing } of await readStatement(
    db,
    owner,
    span,
  )) {
    yield csvLine([day(span.from), "opening balance", null, null, null, null, opening, currency, null, null]);
    for (const { entry, balance } of lines) {
      const { kind, at, reference, amountMinor, document } = entry;
      yield csvLine([
        day(at, document === null ? country : datingCountry(document.country, document.isOfGst)),
        kind,
        reference === "" ? null : reference,
        orderNumber({ number: entry.orderCount, createdAt: entry.orderedAt }),
        amountMinor > 0 ? { minor: amountMinor } : null,
        amountMinor > 0 ? null : { minor: -amountMinor },
        balance,
        currency,
        entry.purchaseOrder,
        entry.costCentre,
      ]);
    }
    yield csvLine([lastDay, "closing balance", null, null, charged, settled, closing, currency, null, null]);
  }
}

/** Writes the licences as CSV: a row per subscription, then a row per item. */
export async function* licencesCsv(db: Db, owner: BooksOwner, span: TimeRange): AsyncGenerator<string> {
  const years = await readLicenceYears(db, owner, span);
  yield csvHeader([
    "row",
    "item",
    "domain",
    "licenses before",
    "bought",
    "renewed",
    "given back",
    "licenses after",
    "invoiced less credited",
    "currency",
  ]);
  for (const { itemName, domain, before, bought, renewed, givenBack, after, paid } of years)
    yield csvLine([
      "subscription",
      itemName,
      domain,
      before,
      bought,
      renewed,
      givenBack,
      after,
      paid,
      paid.currency,
    ]);
  for (const { itemName, after, paid } of licencesByItem(years))
    yield csvLine(["item", itemName, null, null, null, null, null, after, paid, paid.currency]);
}
