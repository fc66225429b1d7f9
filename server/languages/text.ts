/**
 * Says a message in a language. A refusal is made where the rule is and read where the language is known, so it travels as a
 * `Told`: the message's key and what its arguments are given.
 */
import { IntlMessageFormat } from "intl-messageformat";
import { z } from "zod";
import { type LanguageId, messagesByKey, standardLanguage } from "./language.ts";
import type { MessageKey, Text, Values, ValuesOf } from "./messages.ts";

/** A message without its language. */
export interface Told {
  readonly key: MessageKey;
  readonly values: Values;
}

export function told<Key extends MessageKey>(key: Key, ...values: ValuesOf<Key>): Told {
  return { key, values: values[0] ?? {} };
}

/** @param text a sentence that is the same in every language, such as a vendor's own words, or a message */
export function tell(language: LanguageId, text: Told | string): string {
  return typeof text === "string" ? text : formatOf(language, text.key)(text.values);
}

const texts = new Map<LanguageId, Text>();

export function textIn(language: LanguageId): Text {
  const known = texts.get(language);
  if (known !== undefined) return known;
  const text: Text = (key, ...values) => formatOf(language, key)(values[0] ?? {});
  texts.set(language, text);
  return text;
}

type Format = (values: Values) => string;

const formats = new Map<string, Format>();

/** Parsing a message is expensive, so each is parsed once. */
function formatOf(language: LanguageId, key: MessageKey): Format {
  const name = `${language} ${key}`;
  const known = formats.get(name);
  if (known !== undefined) return known;
  const message = messagesByKey[language][key];
  if (message === undefined) throw new RangeError(`No message ${key} in ${language}`);
  const parsed = new IntlMessageFormat(message, language, undefined, { ignoreTag: true });
  const format: Format = (values) => String(parsed.format({ ...values }));
  formats.set(name, format);
  return format;
}

/** Begins a message inside a text. No sentence of ours begins with it. */
const mark = "\u001e";

const marked = z.tuple([
  z.custom<MessageKey>((key) => typeof key === "string" && key in messagesByKey[standardLanguage]),
  z.record(z.string(), z.union([z.string(), z.number()])),
]);

/** A schema's problem, which zod keeps as text: `readIssue` finds the message in it again. */
export function issue<Key extends MessageKey>(key: Key, ...values: ValuesOf<Key>): string {
  return `${mark}${JSON.stringify([key, values[0] ?? {}])}`;
}

/** What a schema's problem says in a language. Any other text stays as it is. */
export function tellIssue(language: LanguageId, text: string): string {
  if (!text.startsWith(mark)) return text;
  const [key, values] = marked.parse(JSON.parse(text.slice(mark.length)));
  return tell(language, { key, values });
}

/** The same in English, for calls and logs. */
export function english(text: Told | string): string {
  return typeof text === "string" ? tellIssue(standardLanguage, text) : tell(standardLanguage, text);
}
