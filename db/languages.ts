/** The languages that the store speaks. What each of them is stands in server/foundation/languages/language.ts. */

export type LanguageId = "en" | "hi";

/** The language in which everything is written first. */
export type StandardLanguage = "en";
export type OtherLanguage = Exclude<LanguageId, StandardLanguage>;
