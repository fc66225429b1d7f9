/**
 * GET /azure/ad/callback, /sign-in/…/callback: the browser returns from the provider. The user is signed in, asked for a proof, or
 * sent to the login. Whoever came to connect it with their account is asked whether to.
 */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { requireUnconnected } from "#server/accounts/connected-identities.ts";
import { continueWithIdentity } from "#server/accounts/identity-sign-in.ts";
import { DomainError } from "#server/errors.ts";
import { cancelled, type IdentityPerson } from "#server/identity-providers/client.ts";
import { identityProviders } from "#server/identity-providers/identity-provider.ts";
import { tell } from "#server/languages/text.ts";
import * as paths from "#server/paths.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { identityProofCookie } from "../http/cookies.ts";
import { keepOffer } from "../http/identity-offer.ts";
import {
  backToLogin,
  backToSignIns,
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
    if (flow.connects !== null) throw await offer(request, person, flow.connects);
    outcome = await continueWithIdentity(context, { ...person, language: request.language }, flow.next);
  } catch (error) {
    if (error instanceof Response) throw error;
    const message = inWords(request, provider, error);
    throw await (flow.connects === null
      ? backToLogin(request, flow.next, message)
      : backToSignIns(request, "error", message));
  }
  if (outcome.outcome === "signed-in") throw await enterByIdentity(request, provider, outcome, flow.next);
  const cookie = identityProofCookie(context.env, provider.id);
  request.responseHeaders.append("Set-Cookie", await cookie.serialize(outcome.key));
  throw redirect(identityProviders[provider.id].paths.proof());
});

/**
 * Asks whoever is signed in whether to connect the person.
 * @param sessionId in which the connecting began
 * @throws DomainError conflict when the identity opens an account already
 */
async function offer(request: RequestContext, person: IdentityPerson, sessionId: string): Promise<Response> {
  const { context, session } = request;
  if (session?.sessionId !== sessionId) return redirect(paths.login(paths.signIns()));
  await requireUnconnected(context.db, session.userId, person);
  await keepOffer(request, person, sessionId);
  return redirect(paths.signIns());
}

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
