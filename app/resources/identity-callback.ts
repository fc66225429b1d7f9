/**
 * GET /azure/ad/callback, /sign-in/…/callback: the browser returns from the provider. The user is signed in, asked for a proof,
 * or sent to the login. A signed-in user is asked whether to connect the identity with their account.
 */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { requireUnconnected } from "#server/accounts/connected-identities.ts";
import { continueWithIdentity } from "#server/accounts/identity-sign-in.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { shortNetwork } from "#server/foundation/security/network.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { cancelled, type IdentityPerson } from "#server/integrations/identity-providers/client.ts";
import { identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { identityProofCookie } from "../http/cookies.ts";
import {
  backToLogin,
  backToSignIns,
  callbackUrl,
  consumeFlow,
  finishIdentitySignIn,
  type OfferedProvider,
  providerAt,
} from "../http/identity-sign-in.ts";
import { pageLoader } from "../http/page.ts";
import { savePendingLink } from "../http/pending-identity-link.ts";
import { enforceRateLimit, rateLimits } from "../http/rate-limits.ts";
import { logRefusal } from "../http/refusal-log.ts";
import type { RequestContext } from "../http/request-context.ts";

export const loader = pageLoader(z.unknown(), async (request) => {
  const { context, url } = request;
  const provider = providerAt(request, "callback");
  const flow = await consumeFlow(request, provider);
  if (flow === null) {
    logSignIn(request, provider.id, "no-beginning");
    const message = request.text("access.providerTooLate", { provider: provider.name });
    throw await backToLogin(request, paths.home(), message);
  }
  let outcome: Awaited<ReturnType<typeof continueWithIdentity>>;
  try {
    await enforceRateLimit(rateLimits.identityCallback, request);
    const person = await provider.client.finish(callbackUrl(request, provider), url.searchParams, flow);
    if (flow.connects !== null) throw await offer(request, person, flow.connects);
    outcome = await continueWithIdentity(context, { ...person, language: request.language }, flow.next);
  } catch (error) {
    if (error instanceof Response) throw error;
    const message = inWords(request, provider, error);
    throw await (flow.connects === null
      ? backToLogin(request, flow.next, message)
      : backToSignIns(request, "error", message));
  }
  if (outcome.outcome === "signed-in")
    throw await finishIdentitySignIn(request, provider, outcome, flow.next);
  const cookie = identityProofCookie(context.env, provider.id);
  request.responseHeaders.append("Set-Cookie", await cookie.serialize(outcome.key));
  throw redirect(identityProviders[provider.id].paths.proof());
});

/**
 * Asks the signed-in user whether to connect the identity.
 * @param sessionId the session that began the connection
 * @throws DomainError conflict when the identity already belongs to an account
 */
async function offer(request: RequestContext, person: IdentityPerson, sessionId: string): Promise<Response> {
  const { context, session } = request;
  if (session?.sessionId !== sessionId) return redirect(paths.login(paths.signIns()));
  await requireUnconnected(context.db, session.userId, person);
  await savePendingLink(request, person, sessionId);
  return redirect(paths.signIns());
}

/** The message for the visitor. The log gets the error code. @throws any error that is a fault of ours */
function inWords(request: RequestContext, { id, name }: OfferedProvider, error: unknown): string {
  const { log, language, text } = request;
  if (error instanceof DomainError) {
    logRefusal(request, error, "identity sign-in refused");
    return translate(language, error.descriptor);
  }
  if (!(error instanceof ProviderError)) throw error;
  if (error.code === cancelled) {
    logSignIn(request, id, "cancelled");
    return text("access.providerCancelled", { provider: name });
  }
  log.warn(
    { err: error, provider: id, outcome: error.kind, network: shortNetwork(request.clientAddress) },
    "identity sign-in failed",
  );
  const key = error.kind === "transient" ? "access.providerSilent" : "access.providerFailed";
  return text(key, { provider: name });
}

/** Logs a failed sign-in at an identity provider. */
function logSignIn(
  { log, url, clientAddress }: RequestContext,
  provider: string,
  outcome: "no-beginning" | "cancelled",
): void {
  log.info(
    { provider, outcome, network: shortNetwork(clientAddress), path: url.pathname },
    "identity sign-in ended",
  );
}
