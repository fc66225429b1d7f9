/** The tax in a page's prices: that of the visitor's company. A visitor without a company has none. */
import type { Country } from "#db/tables/enums.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import { textIn } from "#server/foundation/languages/text.ts";
import { isExport, isToZone, type PriceTax, priceTaxFor } from "#server/orders/supply.ts";
import { taxTexts } from "#server/orders/tax-texts.ts";
import type { RequestContext } from "./request-context.ts";

export function taxForVisitor(
  { context, session }: Pick<RequestContext, "context" | "session">,
  country: Country,
): Promise<PriceTax> {
  const pricedFor = { country, account: null, customerId: session?.customer?.id ?? null };
  return priceTaxFor(context.db, context.env.sellers, pricedFor, new Date());
}

/** Sentence about the catalogue's prices: their currency, and the tax that they exclude. */
export function priceTaxNote(tax: PriceTax, language: LanguageId): string {
  const { catalogue, money } = countries[tax.country].words[language];
  const { supply, rateBasisPoints } = tax;
  const isUnusual = supply !== null && (isToZone(supply) || (isExport(supply) && rateBasisPoints > 0));
  if (!isUnusual) return catalogue.replace("{rate}", String(rateBasisPoints / 100));
  const { before, whyNone } = taxTexts(tax, language);
  const prices = textIn(language)("home.prices", { money, beforeTax: before });
  return whyNone === null ? prices : `${prices} ${whyNone}`;
}
