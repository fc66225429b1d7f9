/** GET /azure/ad/authentication/, /sign-in/…: redirects to the provider's sign-in and remembers the return address. */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { backToLogin, callbackUrl, keepFlow, providerAt } from "../http/identity-sign-in.ts";
import { pageLoader } from "../http/page.ts";

export const loader = pageLoader(z.unknown(), async (request) => {
  const provider = providerAt(request, "signIn");
  const next = safeReturnPath(request.url.searchParams.get("next"));
  if (request.session !== null) throw redirect(next);
  const { url, flow } = await provider.client
    .begin(callbackUrl(request, provider))
    .catch(async (error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      request.log.warn({ err: error, provider: provider.id }, "a sign-in elsewhere could not begin");
      throw await backToLogin(
        request,
        next,
        request.text("access.providerSilent", { provider: provider.name }),
      );
    });
  await keepFlow(request, provider, flow, next);
  throw redirect(url);
});
