/** GET /azure/ad/authentication/: sends the browser to Outlook's sign-in, remembering where it was going. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { ProviderError } from "#server/providers/errors.ts";
import { backToLogin, callbackUrl, keepFlow } from "../http/outlook.ts";
import { pageLoader } from "../http/page.ts";
import { safeReturnPath } from "../paths.ts";

export const loader = pageLoader(z.unknown(), async (page) => {
  const next = safeReturnPath(page.url.searchParams.get("next"));
  if (page.session !== null) throw redirect(next);
  const { outlook } = page.context;
  const { url, flow } = await outlook.begin(callbackUrl(page)).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    page.log.warn({ err: error }, "Outlook's sign-in could not begin");
    throw await backToLogin(
      page,
      next,
      "Outlook did not answer. Please try again in a minute, or sign in here.",
    );
  });
  await keepFlow(page, flow, next);
  throw redirect(url);
});
