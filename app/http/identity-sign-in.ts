/**
 * Shared by the routes of an identity provider: which provider it is, the state kept in the browser, and the end of the sign-in.
 */
import { z } from "zod";
import { safeReturnPath } from "#app/http/return-path.ts";
import type { IdentityProviderId } from "#db/tables/enums.ts";
import type { SignedIn } from "#server/accounts/identities.ts";
import { notFound } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import type { IdentityClient, IdentityFlow } from "#server/integrations/identity-providers/client.ts";
import type { IdentityProvider } from "#server/integrations/identity-providers/identity-provider.ts";
import { identityProviderAt, identityProviders } from "#server/integrations/identity-providers/registry.ts";
import { identityFlowCookie, identityProofCookie } from "./cookies.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { type RequestContext, redirectWith } from "./request-context.ts";

const flowSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  /** The session to connect the identity with; null to sign in. */
  connects: z.string().nullable().default(null),
  /** The server checks the age itself, because only the browser enforces a cookie's Max-Age. */
  until: z.number(),
});

type KeptFlow = z.infer<typeof flowSchema>;

const flowMs = 10 * 60_000;

/** A provider that is configured here. */
export interface OfferedProvider {
  id: IdentityProviderId;
  name: string;
  client: IdentityClient;
}

/**
 * The provider of the request's path.
 * @throws DomainError not_found for a path without a provider, or one that is not configured
 */
export function providerAt(
  { context, url }: RequestContext,
  place: keyof IdentityProvider["paths"],
): OfferedProvider {
  const id = identityProviderAt(url.pathname, place);
  const client = id === null ? undefined : context.identityClients.get(id);
  if (id === null || client === undefined) throw notFound("page");
  return { id, name: identityProviders[id].name, client };
}

export function callbackUrl({ context }: RequestContext, { id }: OfferedProvider): string {
  return `${context.env.PUBLIC_URL}${identityProviders[id].paths.callback()}`;
}

export async function saveFlow(
  request: RequestContext,
  { id }: OfferedProvider,
  flow: IdentityFlow,
  { next, connects }: Pick<KeptFlow, "next" | "connects">,
): Promise<void> {
  const kept: KeptFlow = { ...flow, next, connects, until: Date.now() + flowMs };
  const cookie = identityFlowCookie(request.context.env, id);
  request.responseHeaders.append("Set-Cookie", await cookie.serialize(kept));
}

/** Reads and clears the cookie that saveFlow set. Null when it is missing or expired. */
export async function consumeFlow(
  request: RequestContext,
  { id }: OfferedProvider,
): Promise<Omit<KeptFlow, "until"> | null> {
  const cookie = identityFlowCookie(request.context.env, id);
  const kept = flowSchema.safeParse(await cookie.parse(request.raw.headers.get("cookie")));
  request.responseHeaders.append("Set-Cookie", await cookie.serialize("", { maxAge: 0 }));
  if (!kept.success || kept.data.until < Date.now()) return null;
  return { ...kept.data, next: safeReturnPath(kept.data.next) };
}

/** Ends a failed sign-in with a message on the login page, where the other ways in still work. */
export function backToLogin(request: RequestContext, next: string, message: string): Promise<Response> {
  return redirectWith(request, paths.login(next === paths.home() ? undefined : next), {
    type: "error",
    message,
  });
}

/** Ends a failed connection of a signed-in user with a message on the page where it began. */
export function backToSignIns(
  request: RequestContext,
  type: "error" | "success",
  message: string,
): Promise<Response> {
  return redirectWith(request, paths.signIns(), { type, message });
}

/** Ends a successful sign-in. */
export async function finishIdentitySignIn(
  request: RequestContext,
  { id, name }: OfferedProvider,
  signedIn: SignedIn,
  next: string,
): Promise<Response> {
  const { env } = request.context;
  request.responseHeaders.append(
    "Set-Cookie",
    await identityProofCookie(env, id).serialize("", { maxAge: 0 }),
  );
  return finishSignIn(
    request,
    signedIn,
    safeReturnPath(next),
    signedIn.passwordRemoved ? request.text("access.signedInWith", { provider: name }) : null,
  );
}
