/** What is said of the tax in a price, wherever one is shown: its name, that it comes on top, or why there is none. */
import { countries } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { isExport, isToZone, isUntaxed, type PriceTax } from "./supply.ts";

/** What the tax on a supply between states is called, which those abroad and to a special economic zone always are. */
const integratedTax = "IGST";

export interface TaxTexts {
  /** "GST"; null where none is added. */
  name: string | null;
  /** After a price to which it is added: ", before GST"; empty where none is. */
  before: string;
  /** Why a buyer pays none whose neighbours do; null for everybody else. */
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
