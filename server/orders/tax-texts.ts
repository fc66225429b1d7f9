/** Texts about the tax in a price: its name, that it is added, or the reason why there is none. */
import { countries } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { isExport, isToZone, isUntaxed, type PriceTax } from "./supply.ts";

/** The name of the tax on supplies between states; supplies abroad and to special economic zones always have it. */
const integratedTax = "IGST";

export interface TaxTexts {
  /** Such as "GST"; null when no tax is added. */
  name: string | null;
  /** Suffix of a price before tax (", before GST"); empty when no tax is added. */
  before: string;
  /** Reason for a buyer exempt from the usual tax; null for other buyers. */
  whyNone: string | null;
}

export function taxTexts({ country, supply, rateBasisPoints }: PriceTax, language: LanguageId): TaxTexts {
  const text = textIn(language);
  const isIntegrated = supply !== null && (isExport(supply) || isToZone(supply));
  const usual = countries[country].words[language].taxName;
  const name = rateBasisPoints === 0 ? null : isIntegrated ? integratedTax : usual;
  return {
    name,
    before: name === null ? "" : text("steps.beforeTax", { tax: name }),
    whyNone:
      supply !== null && isUntaxed(supply)
        ? text(isExport(supply) ? "steps.untaxedExport" : "steps.untaxedZone")
        : null,
  };
}
