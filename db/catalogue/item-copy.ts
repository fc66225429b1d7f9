/** What the catalogue says of an item in sentences. Its name is the vendor's, and the same in every language. */
import type { LanguageId, OtherLanguage } from "#db/languages.ts";

export interface ItemCopy {
  /** One line about the audience. */
  readonly audience: string;
  readonly description: string;
  readonly features: readonly string[];
}

/** All that a seeded item says beside the standard language. */
export type TranslatedItemCopy = Readonly<Record<OtherLanguage, ItemCopy>>;

/** What is stored of them: less, where an item was seeded before a language or a field was added. */
export type StoredItemCopy = Readonly<Partial<Record<LanguageId, Partial<ItemCopy>>>>;
