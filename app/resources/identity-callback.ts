/**
 * GET /azure/ad/callback, /sign-in/…/callback: the browser returns from the provider. The user is signed in, asked for a proof, or
 * sent to the login.
 */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { continueWithIdentity } from "#server/accounts/identity-sign-in.ts";
import { DomainError } from "#server/errors.ts";
import { cancelled } from "#server/identity-providers/client.ts";
import { identityProviders } from "#server/identity-providers/identity-provider.ts";
import { tell } from "#server/languages/text.ts";
import * as paths from "#server/paths.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { identityProofCookie } from "../http/cookies.ts";
import {
  backToLogin,
  callbackUrl,
  enterByIdentity,
  type Offered,
  providerAt,
  takeFlow,
} from "../http/identity-sign-in.ts";
import { countAgainst, limits } from "../http/limits.ts";
import { pageLoader } from "../http/page.ts";
import type { RequestContext } from "../http/request-context.ts";

export const loader = pageLoader(z.unknown(), async (request) => {
  const { context, url } = request;
  const provider = providerAt(request, "callback");
  const flow = await takeFlow(request, provider);
  if (flow === null) {
    request.log.info({ provider: provider.id }, "an answer of a sign-in elsewhere without its beginning");
    const message = request.text("access.providerTooLate", { provider: provider.name });
    throw await backToLogin(request, paths.home(), message);
  }
  let outcome: Awaited<ReturnType<typeof continueWithIdentity>>;
  try {
    await countAgainst(limits.identityCallback, request);
    const person = await provider.client.finish(callbackUrl(request, provider), url.searchParams, flow);
    outcome = await continueWithIdentity(context, { ...person, language: request.language }, flow.next);
  } catch (error) {
    throw await backToLogin(request, flow.next, inWords(request, provider, error));
  }
  if (outcome.outcome === "signed-in") throw await enterByIdentity(request, provider, outcome, flow.next);
  const cookie = identityProofCookie(context.env, provider.id);
  request.responseHeaders.append("Set-Cookie", await cookie.serialize(outcome.key));
  throw redirect(identityProviders[provider.id].paths.proof());
});

/** The message for the visitor. The log gets the error code. @throws any error that is a fault of ours */
function inWords({ log, language, text }: RequestContext, { id, name }: Offered, error: unknown): string {
  if (error instanceof DomainError) {
    log.info({ code: error.code, provider: id }, "a sign-in elsewhere was refused");
    return tell(language, error.told);
  }
  if (!(error instanceof ProviderError)) throw error;
  if (error.code === cancelled) {
    log.info({ provider: id }, "a sign-in elsewhere was cancelled");
    return text("access.providerCancelled", { provider: name });
  }
  log.warn({ err: error, provider: id }, "a sign-in elsewhere failed");
  const key = error.kind === "transient" ? "access.providerSilent" : "access.providerFailed";
  return text(key, { provider: name });
}
