/** The types of messages: their keys, the arguments each takes, and what a language must have. */
import type { GetICUArgs } from "@schummar/icu-type-parser";
import type { LanguageId } from "#db/languages.ts";
import type * as english from "./english/index.ts";

type English = typeof english;

/** A namespace of messages in another language: the same keys. */
export type MessagesOf<Namespace> = { readonly [Key in keyof Namespace]: string };

/** All messages of a language. */
export type Messages = { readonly [Namespace in keyof English]: MessagesOf<English[Namespace]> };

export type MessageNamespace = keyof Messages;

/** "closure.title": the namespace and the message in it. */
export type MessageKey = {
  [Namespace in MessageNamespace]: `${Namespace}.${Extract<keyof English[Namespace], string>}`;
}[MessageNamespace];

type EnglishOf<Key> = Key extends `${infer Namespace extends MessageNamespace}.${infer Name}`
  ? Name extends keyof English[Namespace]
    ? English[Namespace][Name]
    : never
  : never;

/** A message without its language. */
export interface MessageDescriptor {
  readonly key: MessageKey;
  readonly values: MessageValues<MessageValue>;
}

/** Words in each language, such as a country's name. */
export type LocalisedText = Readonly<Record<LanguageId, string>>;

/** What an argument may be given where the language is not known yet: also a list, which each language joins in its own way. */
export type MessageValue = string | number | MessageDescriptor | LocalisedText | readonly MessageValue[];

export type MessageValues<Of extends MessageValue = string | number> = Readonly<Record<string, Of>>;

type ArgumentsOf<Key, Of extends MessageValue> = GetICUArgs<
  Extract<EnglishOf<Key>, string>,
  { ICUArgument: Of; ICUNumberArgument: number }
>;

/** What a message's arguments are given: nothing for a message without any. */
export type MessageValuesOf<
  Key extends MessageKey,
  Of extends MessageValue = string | number,
> = keyof ArgumentsOf<Key, Of> extends never
  ? []
  : [values: Extract<ArgumentsOf<Key, Of>, MessageValues<Of>>];

/** A message without arguments. */
export type PlainMessageKey = {
  [Key in MessageKey]: MessageValuesOf<Key> extends [] ? Key : never;
}[MessageKey];

/** The message of that key in one language, with its arguments put in. Tags such as `<link>` stay: see app/ui/text.tsx. */
export type Translate = <Key extends MessageKey>(key: Key, ...values: MessageValuesOf<Key>) => string;
