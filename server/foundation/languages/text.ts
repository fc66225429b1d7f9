/**
 * Says a message in a language. A refusal is made where the rule is and read where the language is known, so it travels as a
 * `Told`: the message's key and what its arguments are given.
 */
import { IntlMessageFormat } from "intl-messageformat";
import { z } from "zod";
import { type LanguageId, languages, messagesByKey, perLanguage, standardLanguage } from "./language.ts";
import type {
  MessageDescriptor,
  MessageKey,
  MessageValue,
  MessageValues,
  MessageValuesOf,
  Translate,
} from "./messages.ts";

export type { MessageDescriptor } from "./messages.ts";

export function msg<Key extends MessageKey>(
  key: Key,
  ...values: MessageValuesOf<Key, MessageValue>
): MessageDescriptor {
  return { key, values: values[0] ?? {} };
}

/** @param text a message, also as text (`serializeMessage`); or what is the same in every language, such as a vendor's own words */
export function translate(language: LanguageId, text: MessageDescriptor | string): string {
  const said = typeof text === "string" ? readIssue(text) : text;
  return typeof said === "string" ? said : formatOf(language, said.key)(said.values);
}

const texts = new Map<LanguageId, Translate>();

export function textIn(language: LanguageId): Translate {
  const known = texts.get(language);
  if (known !== undefined) return known;
  const text: Translate = (key, ...values) => formatOf(language, key)(values[0] ?? {});
  texts.set(language, text);
  return text;
}

type Format = (values: MessageValues<MessageValue>) => string;

const formats = perLanguage(() => new Map<MessageKey, Format>());

/** Parsing a message is expensive, so each is parsed once. */
function formatOf(language: LanguageId, key: MessageKey): Format {
  const known = formats[language].get(key);
  if (known !== undefined) return known;
  const message = messagesByKey[language][key];
  if (message === undefined) throw new RangeError(`No message ${key} in ${language}`);
  const format = hasPlainPlaces.test(message)
    ? filledIn(language, key, message.split(place))
    : parsed(language, message);
  formats[language].set(key, format);
  return format;
}

/** Nothing but words and places for them, such as "Order {number}": most messages. */
const hasPlainPlaces = /^[^{}']*(?:\{\w+\}[^{}']*)*$/;
const place = /\{(\w+)\}/;

/** @param parts by turns words, and the name of what comes between them */
function filledIn(language: LanguageId, key: MessageKey, parts: readonly string[]): Format {
  return (values) =>
    parts
      .map((part, index) => {
        if (index % 2 === 0) return part;
        const value = values[part];
        if (value === undefined) throw new RangeError(`The message ${key} is not given its ${part}`);
        return inLanguage(language, value);
      })
      .join("");
}

function parsed(language: LanguageId, message: string): Format {
  const format = new IntlMessageFormat(message, language, undefined, { ignoreTag: true });
  if (!message.includes("{")) {
    const fixed = String(format.format());
    return () => fixed;
  }
  return (values) => {
    const said = Object.entries(values).map(([name, value]) => [name, inLanguage(language, value)]);
    return String(format.format(Object.fromEntries(said)));
  };
}

function inLanguage(language: LanguageId, value: MessageValue): string | number {
  if (typeof value !== "object") return value;
  if (isList(value)) return listIn(language, value);
  return "key" in value ? translate(language, value) : value[language];
}

function isList(value: MessageValue): value is readonly MessageValue[] {
  return Array.isArray(value);
}

const lists = perLanguage((language) => new Intl.ListFormat(languages[language].locale));

function listIn(language: LanguageId, values: readonly MessageValue[]): string {
  return lists[language].format(values.map((value) => String(inLanguage(language, value))));
}

/** Begins a message inside a text. No sentence of ours begins with it. */
const mark = "\u001e";

/**
 * A message as text, for schemas, which know no other, and for rows, which are read when the language is known. The English
 * is for who reads the row by hand, and for a version that does not know the message. Any other text stays as it is.
 */
export function serializeMessage(text: MessageDescriptor | string): string {
  return typeof text === "string"
    ? text
    : `${mark}${JSON.stringify({ english: english(text), message: text })}`;
}

/** A schema's problem. */
export function schemaMessage<Key extends MessageKey>(
  key: Key,
  ...values: MessageValuesOf<Key, MessageValue>
): string {
  return serializeMessage(msg(key, ...values));
}

const descriptorSchema: z.ZodType<MessageDescriptor> = z.object({
  key: z.custom<MessageKey>((key) => typeof key === "string" && key in messagesByKey[standardLanguage]),
  get values() {
    return z.record(z.string(), valueSchema);
  },
});
const wordsSchema = z
  .record(z.string(), z.string())
  .transform((said) => perLanguage((language) => said[language] ?? said[standardLanguage] ?? ""));
const valueSchema: z.ZodType<MessageValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.array(valueSchema), descriptorSchema, wordsSchema]),
);
const issueSchema = z.object({ english: z.string(), message: descriptorSchema.nullable().catch(null) });

/** The message in a text, or its English when this version does not know it; any other text as it is. */
function readIssue(text: string): MessageDescriptor | string {
  if (!text.startsWith(mark)) return text;
  const { data } = issueSchema.safeParse(jsonIn(text.slice(mark.length)));
  return data === undefined ? text : (data.message ?? data.english);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** For calls and logs. */
export function english(text: MessageDescriptor | string): string {
  return translate(standardLanguage, text);
}
