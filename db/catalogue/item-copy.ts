/** Descriptive texts of an item. Its name is the vendor's, and the same in every language. */
import type { LanguageId, OtherLanguage } from "#db/languages.ts";

export interface ItemCopy {
  /** One line about the audience. */
  readonly audience: string;
  readonly description: string;
  readonly features: readonly string[];
}

/** A seeded item's texts in all languages except the standard one. */
export type TranslatedItemCopy = Readonly<Record<OtherLanguage, ItemCopy>>;

/** Stored translations; incomplete if an item was seeded before a language or a field was added. */
export type StoredItemCopy = Readonly<Partial<Record<LanguageId, Partial<ItemCopy>>>>;
