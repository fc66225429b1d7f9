/** What the catalogue says of an item, in a visitor's language. */
import type { ItemCopy } from "#db/catalogue/item-copy.ts";
import type { LanguageId } from "#server/foundation/languages/language.ts";
import type { CatalogueItem } from "./items.ts";

/** Field by field in the standard language, where the item says nothing in the other. */
export function itemCopyIn(
  { audience, description, features, words }: ItemCopy & Pick<CatalogueItem, "words">,
  language: LanguageId,
): ItemCopy {
  return { audience, description, features, ...words[language] };
}
