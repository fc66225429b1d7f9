/**
 * GET /azure/ad/authentication/, /sign-in/…: redirects to the provider's sign-in and remembers the return address, or for a
 * signed-in user that the identity will be connected with their account.
 */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import * as paths from "#server/foundation/paths.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { backToLogin, backToSignIns, callbackUrl, providerAt, saveFlow } from "../http/identity-sign-in.ts";
import { pageLoader } from "../http/page.ts";

export const loader = pageLoader(z.unknown(), async (request) => {
  const provider = providerAt(request, "signIn");
  const { session, url: requestUrl } = request;
  const next = safeReturnPath(requestUrl.searchParams.get("next"));
  const connects = requestUrl.searchParams.get("connect") === "yes";
  // Otherwise the sign-in could open or create an account other than the intended one.
  if (connects && session === null) throw redirect(paths.login(paths.signIns()));
  if (!connects && session !== null) throw redirect(next);
  const { url, flow } = await provider.client
    .begin(callbackUrl(request, provider))
    .catch(async (error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      request.log.warn({ err: error, provider: provider.id }, "a sign-in elsewhere could not begin");
      const message = request.text("access.providerSilent", { provider: provider.name });
      throw await (connects ? backToSignIns(request, "error", message) : backToLogin(request, next, message));
    });
  await saveFlow(request, provider, flow, { next, connects: connects ? (session?.sessionId ?? null) : null });
  throw redirect(url);
});
