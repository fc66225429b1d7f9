/** POST /language: saves the visitor's language for pages and mails, and returns to the page where they chose it. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { notFound } from "#server/foundation/errors.ts";
import { isLanguage } from "#server/foundation/languages/language.ts";
import { chooseLanguage } from "#server/orders/language.ts";
import { languageCookie } from "../http/cookies.ts";
import { formAction } from "../http/page.ts";
import { safeReturnPath } from "../http/return-path.ts";
import { requesterOf } from "../journey/guard.ts";

export { postOnly as loader } from "../api/shared/route.ts";

const choice = z.object({ language: z.string().max(20), next: z.string().max(500).optional() });

export const action = formAction({
  params: z.unknown(),
  pageless: true,
  schema: choice,
  handler: async (request, _params, { language, next }) => {
    if (!isLanguage(language)) throw notFound("language");
    request.responseHeaders.append(
      "Set-Cookie",
      await languageCookie(request.context.env).serialize(language),
    );
    await chooseLanguage(request.context.db, requesterOf(request), language);
    return redirect(safeReturnPath(next), 303);
  },
});
