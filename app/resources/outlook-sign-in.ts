/** GET /azure/ad/authentication/: redirects to Outlook's sign-in and remembers the return address. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { backToLogin, callbackUrl, keepFlow } from "../http/outlook.ts";
import { pageLoader } from "../http/page.ts";

export const loader = pageLoader(z.unknown(), async (request) => {
  const next = safeReturnPath(request.url.searchParams.get("next"));
  if (request.session !== null) throw redirect(next);
  const { outlook } = request.context;
  const { url, flow } = await outlook.begin(callbackUrl(request)).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    request.log.warn({ err: error }, "Outlook's sign-in could not begin");
    throw await backToLogin(request, next, request.text("access.outlookSilent"));
  });
  await keepFlow(request, flow, next);
  throw redirect(url);
});
