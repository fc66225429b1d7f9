/**
 * Converts a document's figures to the currency of GST. An export is paid in another one: its total and its taxes are converted
 * once each, and its value is the rest, so that the document adds up in both. A credit note takes a part of its invoice's
 * converted figures, so that an
 * invoice that is wholly refunded is wholly credited in the tax office's currency too (docs/decisions/refunds.md#credit-notes).
 */
import { z } from "zod";
import { money } from "#db/money.ts";
import { scale } from "#server/catalogue/pricing/money.ts";
import { currencies } from "#server/foundation/countries/registry.ts";

const minorUnits = z.number().int();

const taxes = z.array(z.object({ name: z.string(), rateBasisPoints: z.number(), amountMinor: minorUnits }));

/** The amounts on a document in minor units. The rounding may be negative. */
export const documentAmountsSchema = z.object({
  subtotalMinor: minorUnits,
  taxes,
  roundingMinor: minorUnits,
  totalMinor: minorUnits,
});
export type DocumentAmounts = z.infer<typeof documentAmountsSchema>;

export const inTaxCurrencySchema = z.object({
  currency: z.enum(currencies),
  /** Exchange rate: ten-thousandths of this currency for one unit of the document's. */
  rateTenThousandths: z.number().int(),
  totalMinor: minorUnits,
  /** Left out by earlier versions, whose documents have each figure converted individually. */
  parts: z.object({ subtotalMinor: minorUnits, taxesMinor: z.array(minorUnits) }).optional(),
});
export type InTaxCurrency = z.infer<typeof inTaxCurrencySchema>;

/** A document's figures, with their value in the currency of GST; left out if that is the document's own. */
export type AmountsWithTaxCurrency = DocumentAmounts & { inTaxCurrency?: InTaxCurrency | undefined };

type Rate = Pick<InTaxCurrency, "currency" | "rateTenThousandths">;

const convert = (minor: number, { currency, rateTenThousandths }: Rate) =>
  scale(money(minor, currency), rateTenThousandths, 10_000).minor;

/** Converts an amount of at least 0 from the document's currency to the currency of GST, both in minor units. */
export function inTaxMinor(
  minor: number,
  { inTaxCurrency }: Pick<AmountsWithTaxCurrency, "inTaxCurrency">,
): number {
  return inTaxCurrency === undefined ? minor : convert(minor, inTaxCurrency);
}

/** Converts the figures that an invoice states in addition to its own. */
export function toTaxCurrency(figures: DocumentAmounts, rate: Rate): InTaxCurrency {
  const { roundingMinor, totalMinor } = figures;
  const taxesMinor = figures.taxes.map(({ amountMinor }) => convert(amountMinor, rate));
  const tax = taxesMinor.reduce((sum, each) => sum + each, 0);
  const { currency, rateTenThousandths } = rate;
  return {
    currency,
    rateTenThousandths,
    totalMinor: convert(totalMinor, rate),
    // Without the rounding, which is not a part of the value.
    parts: { subtotalMinor: convert(totalMinor - roundingMinor, rate) - tax, taxesMinor },
  };
}

/** Returns a document's figures in the currency of GST. */
export function taxCurrencyAmounts(document: AmountsWithTaxCurrency): DocumentAmounts {
  const { inTaxCurrency } = document;
  if (inTaxCurrency === undefined) return document;
  const { totalMinor, parts } = inTaxCurrency;
  const subtotalMinor = parts?.subtotalMinor ?? convert(document.subtotalMinor, inTaxCurrency);
  const converted = document.taxes.map((tax, index) => ({
    ...tax,
    amountMinor: parts?.taxesMinor[index] ?? convert(tax.amountMinor, inTaxCurrency),
  }));
  const tax = converted.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return { subtotalMinor, taxes: converted, roundingMinor: totalMinor - subtotalMinor - tax, totalMinor };
}

/** Divides an amount in proportion to the values, by the largest remainder. All at least 0, and not every value 0. */
export function divideProportionally(amount: number, values: readonly number[]): number[] {
  const whole = BigInt(values.reduce((sum, value) => sum + value, 0) || 1);
  const exact = values.map((value, index) => {
    const product = BigInt(amount) * BigInt(value);
    return { index, part: Number(product / whole), remainder: product % whole };
  });
  const parts = exact.map(({ part }) => part);
  const left = amount - parts.reduce((sum, part) => sum + part, 0);
  const byRemainder = exact.toSorted((one, other) => Number(other.remainder - one.remainder));
  for (const { index } of byRemainder.slice(0, left)) parts[index] = (parts[index] ?? 0) + 1;
  return parts;
}
