/**
 * Messages of hydrated pages, one file per language: fetched after the first paint and cached by browsers, because the URL
 * changes with the content.
 */
import { createHash } from "node:crypto";
import { browserMessages } from "#server/foundation/languages/browser-namespaces.ts";
import { perLanguage } from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";

export const messagesFile = perLanguage((language) => JSON.stringify(browserMessages(language)));

export const messagesUrl = perLanguage((language) =>
  paths.messages({
    language,
    version: createHash("sha256").update(messagesFile[language]).digest("base64url").slice(0, 10),
  }),
);
