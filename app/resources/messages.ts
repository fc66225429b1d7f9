/** `/messages/{language}?version=…`: messages of hydrated pages in a language. */
import { notFound } from "#server/foundation/errors.ts";
import { isLanguage } from "#server/foundation/languages/language.ts";
import { encode, encodingFor, headersOf } from "#server/foundation/web/encoding.ts";
import { fileLoader } from "../api/shared/route.ts";
import { messagesFile, messagesUrl } from "../http/messages.ts";

export const loader = fileLoader(async ({ raw, url }, { language = "" }) => {
  if (!isLanguage(language)) throw notFound();
  // A page that was opened before a release gets the new messages, which its browser does not cache.
  const isThis = messagesUrl[language] === `${url.pathname}${url.search}`;
  const encoding = encodingFor(raw.headers.get("accept-encoding") ?? "");
  return new Response(await encode(Buffer.from(messagesFile[language]), encoding), {
    headers: {
      ...headersOf(encoding),
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": isThis ? "public, max-age=31536000, immutable" : "no-store",
    },
  });
});
