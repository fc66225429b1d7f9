/** What the catalogue says of an item, in a visitor's language. */
import type { ItemWords } from "#db/item-words.ts";
import type { LanguageId } from "#server/languages/language.ts";
import type { CatalogueItem } from "./items.ts";

/** Field by field in the standard language, where the item says nothing in the other. */
export function itemWords(
  { audience, description, features, words }: ItemWords & Pick<CatalogueItem, "words">,
  language: LanguageId,
): ItemWords {
  return { audience, description, features, ...words[language] };
}
