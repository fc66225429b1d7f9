/** English names of the store's languages. Desk is in English. */
import type { LanguageId } from "#server/foundation/languages/language.ts";

const names = new Intl.DisplayNames(["en"], { type: "language" });

/** "Hindi" */
export function languageName(language: LanguageId): string {
  return names.of(language) ?? language;
}
