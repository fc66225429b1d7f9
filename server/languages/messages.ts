/** The types of messages: their keys, the arguments each takes, and what a language must have. */
import type { GetICUArgs } from "@schummar/icu-type-parser";
import type * as english from "./english/index.ts";

type English = typeof english;

/** A room of messages in another language: the same keys. */
export type MessagesOf<Room> = { readonly [Key in keyof Room]: string };

/** All messages of a language. */
export type Messages = { readonly [Room in keyof English]: MessagesOf<English[Room]> };

export type RoomName = keyof Messages;

/** "closure.title": the room and the message in it. */
export type MessageKey = {
  [Room in RoomName]: `${Room}.${Extract<keyof English[Room], string>}`;
}[RoomName];

type EnglishOf<Key> = Key extends `${infer Room extends RoomName}.${infer Name}`
  ? Name extends keyof English[Room]
    ? English[Room][Name]
    : never
  : never;

export type Values = Readonly<Record<string, string | number>>;

type ArgumentsOf<Key> = GetICUArgs<
  Extract<EnglishOf<Key>, string>,
  { ICUArgument: string | number; ICUNumberArgument: number }
>;

/** What a message's arguments are given: nothing for a message without any. */
export type ValuesOf<Key extends MessageKey> = keyof ArgumentsOf<Key> extends never
  ? []
  : [values: Extract<ArgumentsOf<Key>, Values>];

/** A message without arguments. */
export type PlainKey = { [Key in MessageKey]: ValuesOf<Key> extends [] ? Key : never }[MessageKey];

/** The message of that key in one language, with its arguments put in. Tags such as `<link>` stay: see app/ui/text.tsx. */
export type Text = <Key extends MessageKey>(key: Key, ...values: ValuesOf<Key>) => string;
