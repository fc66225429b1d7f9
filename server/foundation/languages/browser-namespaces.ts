/**
 * Namespaces of messages that a hydrated page gets. The browser puts in simple arguments only (app/ui/text.tsx): what
 * needs a plural or a date is said by the page's loader.
 */
import { type LanguageId, messagesByKey } from "./language.ts";
import type { MessageNamespace } from "./messages.ts";

export const browserNamespaces = [
  "shell",
  "forms",
  "journey",
  "details",
  "createAccount",
  "review",
  "signIn",
  "waiting",
  "errorPage",
] as const satisfies readonly MessageNamespace[];

const inBrowser = new Set<string>(browserNamespaces);

/** Returns the messages of those namespaces by their keys. */
export function browserMessages(language: LanguageId): Record<string, string | undefined> {
  const ofBrowser = ([key]: [string, unknown]) => inBrowser.has(key.slice(0, key.indexOf(".")));
  return Object.fromEntries(Object.entries(messagesByKey[language]).filter(ofBrowser));
}
