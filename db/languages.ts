/** Languages of the store. Their properties are in server/foundation/languages/language.ts. */

export type LanguageId = "en" | "hi";

/** Language in which all texts are written first. */
export type StandardLanguage = "en";
export type OtherLanguage = Exclude<LanguageId, StandardLanguage>;
