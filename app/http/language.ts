/**
 * The language of a request: the visitor's choice, else the best of our languages that the browser accepts. Desk is in English.
 */
import {
  isLanguage,
  type LanguageId,
  preferredLanguage,
  standardLanguage,
} from "#server/foundation/languages/language.ts";
import * as paths from "#server/foundation/paths.ts";
import { webContext } from "./context.ts";
import { languageCookie, readText } from "./cookies.ts";

export async function languageOf(request: Request): Promise<LanguageId> {
  if (isDeskPath(new URL(request.url).pathname)) return standardLanguage;
  const chosen = await readText(languageCookie(webContext().env), request);
  if (chosen !== null && isLanguage(chosen)) return chosen;
  return preferredLanguage(request.headers.get("accept-language"));
}

/** Whether a path belongs to Desk, whose pages are in one language and have no customer. */
export function isDeskPath(pathname: string): boolean {
  return pathname === paths.desk() || pathname.startsWith(`${paths.desk()}/`);
}
