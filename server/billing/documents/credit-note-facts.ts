/**
 * The content of a credit note, copied from its invoice once and frozen, in the invoice's language. Its tax is the invoice's in
 * proportion to the refund (docs/providers.md, section 4).
 */
import { z } from "zod";
import { money } from "#db/money.ts";
import { scale } from "#server/catalogue/pricing/money.ts";
import { type InvoiceFacts, invoiceFactsSchema } from "./facts.ts";
import {
  type AmountsWithTaxCurrency,
  type DocumentAmounts,
  inTaxMinor,
  taxCurrencyAmounts,
} from "./tax-currency.ts";

export const creditNoteFactsSchema = invoiceFactsSchema.extend({
  /** The corrected invoice. */
  invoice: z.object({
    number: z.string(),
    issuedAt: z.iso.datetime(),
    totalMinor: z.number().int(),
  }),
  reason: z.string(),
  /** Number of returned licences. Left out when only money is refunded, and by earlier versions. */
  licences: z.number().int().positive().optional(),
});
export type CreditNoteFacts = z.infer<typeof creditNoteFactsSchema>;

/**
 * Computes the part of an invoice's figures that a refund credits. Value and taxes are proportional, the rest is rounding, and
 * equal taxes stay equal. Each part is the cumulative share of all credits so far less the earlier parts, so that the parts of
 * a fully refunded invoice add up to it in every figure. An earlier part may have been cancelled since: every figure is at
 * least 0 and at most its uncredited rest.
 * @param earlier the parts credited before
 * @param amountMinor with tax, from 1 to the uncredited rest of the invoice
 * @throws RangeError for an amount out of this range
 */
export function proportionalPart(
  invoice: DocumentAmounts & Pick<InvoiceFacts, "currency">,
  earlier: readonly DocumentAmounts[],
  amountMinor: number,
): DocumentAmounts {
  const left = leftOf(invoice, earlier);
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1 || amountMinor > left)
    throw new RangeError(`A credit note of ${amountMinor}, where ${left} is left of the invoice`);
  return share(invoice, earlier, amountMinor);
}

const sumOf = (parts: readonly DocumentAmounts[], figure: (part: DocumentAmounts) => number) =>
  parts.reduce((sum, part) => sum + figure(part), 0);

const leftOf = (invoice: DocumentAmounts, earlier: readonly DocumentAmounts[]) =>
  invoice.totalMinor - sumOf(earlier, ({ totalMinor }) => totalMinor);

/** Computes the part. @param amountMinor from 0 to the uncredited rest of the invoice */
function share(
  invoice: DocumentAmounts & Pick<InvoiceFacts, "currency">,
  earlier: readonly DocumentAmounts[],
  amountMinor: number,
): DocumentAmounts {
  const all = invoice.totalMinor - leftOf(invoice, earlier) + amountMinor;
  const shareOf = (minor: number, takenMinor: number) => {
    const due = scale(money(minor, invoice.currency), all, invoice.totalMinor).minor - takenMinor;
    return Math.max(0, Math.min(due, minor - takenMinor));
  };
  const subtotalMinor = shareOf(
    invoice.subtotalMinor,
    sumOf(earlier, (part) => part.subtotalMinor),
  );
  const taxes = invoice.taxes.map((tax, index) => ({
    ...tax,
    amountMinor: shareOf(
      tax.amountMinor,
      sumOf(earlier, (part) => part.taxes[index]?.amountMinor ?? 0),
    ),
  }));
  const tax = taxes.reduce((sum, each) => sum + each.amountMinor, 0);
  return { subtotalMinor, taxes, roundingMinor: amountMinor - subtotalMinor - tax, totalMinor: amountMinor };
}

/**
 * Computes the same part in the currency of GST, also as the cumulative share less the earlier credit notes. Those of earlier
 * versions were converted individually, and may have credited one paisa too many.
 */
function partInTaxCurrency(
  invoice: InvoiceFacts,
  earlier: readonly AmountsWithTaxCurrency[],
  amountMinor: number,
): InvoiceFacts["inTaxCurrency"] {
  const stated = invoice.inTaxCurrency;
  if (stated === undefined) return undefined;
  const whole = { ...taxCurrencyAmounts(invoice), currency: stated.currency };
  const taken = earlier.map(taxCurrencyAmounts);
  const left = leftOf(whole, taken);
  const credited = invoice.totalMinor - leftOf(invoice, earlier) + amountMinor;
  const due = inTaxMinor(credited, invoice) - (whole.totalMinor - left);
  const part = share(whole, taken, Math.max(0, credited === invoice.totalMinor ? left : Math.min(due, left)));
  const { subtotalMinor, taxes, totalMinor } = part;
  return {
    ...stated,
    totalMinor,
    parts: { subtotalMinor, taxesMinor: taxes.map((tax) => tax.amountMinor) },
  };
}

/**
 * Splits the amount over the returned licences. If it does not divide evenly, some cost one minor unit more and get a separate
 * line, so that each line is its quantity times its price.
 */
function linesFor(
  line: InvoiceFacts["lines"][number],
  amountMinor: number,
  licences: number,
): InvoiceFacts["lines"] {
  const unitPriceMinor = Math.floor(amountMinor / licences);
  const dearer = amountMinor - unitPriceMinor * licences;
  return [
    { quantity: dearer, unitPriceMinor: unitPriceMinor + 1 },
    { quantity: licences - dearer, unitPriceMinor },
  ]
    .filter(({ quantity }) => quantity > 0)
    .map((part) => ({ ...line, ...part, amountMinor: part.quantity * part.unitPriceMinor }));
}

/**
 * Builds the facts of a credit note.
 * @param refund.reason in the invoice's language
 * @param refund.licences number of returned licences; left out when only money is refunded
 * @param earlier the figures of the invoice's earlier credit notes
 * @throws RangeError for more than the uncredited rest of the invoice
 */
export function creditNoteFacts(
  invoice: { number: string; issuedAt: Date; facts: InvoiceFacts },
  earlier: readonly AmountsWithTaxCurrency[],
  { amountMinor, reason, licences }: { amountMinor: number; reason: string; licences?: number | undefined },
): CreditNoteFacts {
  const { number, issuedAt } = invoice;
  const { replaces: _ofInvoice, ...facts } = invoice.facts;
  const part = proportionalPart(facts, earlier, amountMinor);
  const stated = partInTaxCurrency(facts, earlier, amountMinor);
  return {
    ...facts,
    ...part,
    ...(stated !== undefined && { inTaxCurrency: stated }),
    // The invoice's lines differ only in price, and a refund belongs to none of them in particular.
    lines: facts.lines.slice(-1).flatMap((line) => linesFor(line, part.subtotalMinor, licences ?? 1)),
    invoice: { number, issuedAt: issuedAt.toISOString(), totalMinor: facts.totalMinor },
    reason,
    ...(licences !== undefined && { licences }),
  };
}
