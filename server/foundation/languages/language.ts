/** The languages of the store: the contract of one, and the registry. docs/extend/language.md adds another. */
import Negotiator from "negotiator";
import type { LanguageId, StandardLanguage } from "#db/languages.ts";
import * as english from "./english/index.ts";
import * as hindi from "./hindi/index.ts";
import type { Messages } from "./messages.ts";

export type { LanguageId };

export interface Language {
  /** In the language itself, as its readers look for it. */
  name: string;
  /** BCP 47, for dates. */
  locale: string;
  /** What follows the day of a date: "rd" in "3rd March 2025". */
  ordinalSuffix(day: number): string;
  messages: Messages;
}

export const languages: Readonly<Record<LanguageId, Language>> = {
  en: { name: "English", locale: "en-GB", ordinalSuffix: englishOrdinalSuffix, messages: english },
  hi: { name: "हिन्दी", locale: "hi-IN", ordinalSuffix: () => "", messages: hindi },
};

function englishOrdinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}

/** In the order in which the screens offer them. */
export const languageIds = Object.keys(languages).filter(isLanguage);

/** Also what calls answer in, what operators read, and what is used where a browser asks for none of ours. */
export const standardLanguage: LanguageId = "en" satisfies StandardLanguage;

export function isLanguage(text: string): text is LanguageId {
  return Object.hasOwn(languages, text);
}

/** The language that was stored with something; the standard one when it is unknown, or no longer spoken here. */
export function storedLanguage(id: string | null): LanguageId {
  return id !== null && isLanguage(id) ? id : standardLanguage;
}

/** The best of our languages for a browser. @param accepted the request's Accept-Language; null when it has none */
export function preferredLanguage(accepted: string | null): LanguageId {
  if (accepted === null) return standardLanguage;
  const [best] = new Negotiator({ headers: { "accept-language": accepted } }).languages([...languageIds]);
  return best !== undefined && isLanguage(best) ? best : standardLanguage;
}

/** "closure.title" and the like, with their messages. */
export const messagesByKey = perLanguage(byKey);

/** Something made once for each language. */
export function perLanguage<Made>(make: (language: LanguageId) => Made): Readonly<Record<LanguageId, Made>> {
  return { en: make("en"), hi: make("hi") };
}

function byKey(language: LanguageId): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(languages[language].messages).flatMap(([namespace, said]) =>
      Object.entries<string>(said).map(([name, message]) => [`${namespace}.${name}`, message]),
    ),
  );
}
