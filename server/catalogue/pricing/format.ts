/**
 * Formats money: Indian grouping and the rupee sign, or American grouping and the dollar. Dollars always show cents, as
 * is usual in the USA. Rupees show paise only when there are any, because totals are whole rupees.
 */

import type { Money } from "#db/money.ts";
import { countryOfCurrency, perCountry } from "#server/foundation/countries/registry.ts";
import { type LanguageId, perLanguage } from "#server/foundation/languages/language.ts";

// Cached: creating a format costs as much as formatting sixty amounts, and a page shows dozens.
const formatsOf = perCountry(({ locale, currency, shownFractionDigits }) => {
  const format = (minimumFractionDigits: number) =>
    new Intl.NumberFormat(locale, {
      style: "currency",
      currency,
      minimumFractionDigits,
      maximumFractionDigits: 2,
    });
  return { usual: format(shownFractionDigits), exact: format(2) };
});

const shortFormats = perLanguage((language) =>
  perCountry(
    ({ locale, currency }) =>
      new Intl.NumberFormat(new Intl.Locale(language, { region: new Intl.Locale(locale).region }), {
        style: "currency",
        currency,
        notation: "compact",
        maximumSignificantDigits: 3,
      }),
  ),
);

/** Formats "₹1.24L", "$124K", for a place too narrow for the whole amount. */
export function formatShort({ minor, currency }: Money, language: LanguageId): string {
  return shortFormats[language](countryOfCurrency(currency)).format(minor / 100);
}

/** Formats "₹1,23,851", "₹6,955.20", "$30.00". */
export function formatMoney(amount: Money): string {
  if (amount.minor % 100 !== 0) return formatExact(amount);
  return formatsOf(countryOfCurrency(amount.currency)).usual.format(amount.minor / 100);
}

/** Formats "₹1,23,851.00": always two decimals, for columns of amounts. */
export function formatExact({ minor, currency }: Money): string {
  return formatsOf(countryOfCurrency(currency)).exact.format(minor / 100);
}
