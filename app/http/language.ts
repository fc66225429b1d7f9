/** The language of a request: the visitor's choice, else the best of ours that the browser asks for. */
import { isLanguage, type LanguageId, preferredLanguage } from "#server/languages/language.ts";
import { webContext } from "./context.ts";
import { languageCookie, readText } from "./cookies.ts";

export async function languageOf(request: Request): Promise<LanguageId> {
  const chosen = await readText(languageCookie(webContext().env), request);
  if (chosen !== null && isLanguage(chosen)) return chosen;
  return preferredLanguage(request.headers.get("accept-language"));
}
