/**
 * The content of a credit note, copied from its invoice once and frozen, in the invoice's language. Its tax is the invoice's in
 * the proportion of the refund (docs/providers.md, section 4).
 */
import { z } from "zod";
import { money } from "#db/money.ts";
import { scale } from "#server/pricing/money.ts";
import { type InvoiceFacts, invoiceFactsSchema } from "./facts.ts";

export const creditNoteFactsSchema = invoiceFactsSchema.extend({
  /** What it corrects. */
  invoice: z.object({
    number: z.string(),
    issuedAt: z.iso.datetime(),
    totalMinor: z.number().int(),
  }),
  reason: z.string(),
});
export type CreditNoteFacts = z.infer<typeof creditNoteFactsSchema>;

/** What a document says of its money, in minor units. */
export type Figures = Pick<InvoiceFacts, "subtotalMinor" | "taxes" | "roundingMinor" | "totalMinor">;

/**
 * The part of an invoice's figures that a refund takes back. Value and taxes are proportional, the rest is rounding, and equal
 * taxes stay equal. They are what all refunds together have to take less what the earlier ones took, so that the parts of an
 * invoice that is wholly refunded add up to it in every figure. A part in between may have been taken back since: no figure is
 * below nothing, or more than is left of it.
 * @param earlier the parts that were taken before
 * @param amountMinor with tax, from 1 to what is left of the invoice
 * @throws RangeError for more than is left, or for nothing
 */
export function partOf(
  invoice: Figures & Pick<InvoiceFacts, "currency">,
  earlier: readonly Figures[],
  amountMinor: number,
): Figures {
  const taken = (figure: (part: Figures) => number) => earlier.reduce((sum, part) => sum + figure(part), 0);
  const left = invoice.totalMinor - taken(({ totalMinor }) => totalMinor);
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 1 || amountMinor > left)
    throw new RangeError(`A credit note of ${amountMinor}, where ${left} is left of the invoice`);
  const all = invoice.totalMinor - left + amountMinor;
  const shareOf = (minor: number, takenMinor: number) => {
    const due = scale(money(minor, invoice.currency), all, invoice.totalMinor).minor - takenMinor;
    return Math.min(Math.max(0, due), minor - takenMinor);
  };
  const subtotalMinor = shareOf(
    invoice.subtotalMinor,
    taken((part) => part.subtotalMinor),
  );
  const taxes = invoice.taxes.map((tax, index) => ({
    ...tax,
    amountMinor: shareOf(
      tax.amountMinor,
      taken((part) => part.taxes[index]?.amountMinor ?? 0),
    ),
  }));
  const tax = taxes.reduce((sum, each) => sum + each.amountMinor, 0);
  return { subtotalMinor, taxes, roundingMinor: amountMinor - subtotalMinor - tax, totalMinor: amountMinor };
}

/**
 * @param reason in the language of the invoice
 * @param earlier the figures of the invoice's earlier credit notes
 * @throws RangeError for more than is left of the invoice
 */
export function creditNoteFacts(
  invoice: { number: string; issuedAt: Date; facts: InvoiceFacts },
  earlier: readonly Figures[],
  amountMinor: number,
  reason: string,
): CreditNoteFacts {
  const { number, issuedAt, facts } = invoice;
  const part = partOf(facts, earlier, amountMinor);
  return {
    ...facts,
    ...part,
    ...(facts.inTaxCurrency !== undefined && {
      inTaxCurrency: {
        ...facts.inTaxCurrency,
        totalMinor: scale(
          money(part.totalMinor, facts.currency),
          facts.inTaxCurrency.rateTenThousandths,
          10_000,
        ).minor,
      },
    }),
    // The lines differ in their price only, and a refund is of no single one of them.
    lines: facts.lines.slice(-1).map((line) => ({
      ...line,
      quantity: 1,
      unitPriceMinor: part.subtotalMinor,
      amountMinor: part.subtotalMinor,
    })),
    invoice: { number, issuedAt: issuedAt.toISOString(), totalMinor: facts.totalMinor },
    reason,
  };
}
