/** Texts of an item in a visitor's language. */
import type { ItemCopy } from "#db/catalogue/item-copy.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { CatalogueItem } from "./items.ts";

/** Falls back to the standard language field by field. */
export function itemCopyIn(
  { audience, description, features, words }: ItemCopy & Pick<CatalogueItem, "words">,
  language: LanguageId,
): ItemCopy {
  return { audience, description, features, ...words[language] };
}
