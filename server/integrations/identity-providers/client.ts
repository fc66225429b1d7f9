/**
 * Client of an identity provider: returns the address of its sign-in, the person who comes back, and whether their email is
 * verified. The accounts module maps that person to a user of the store.
 */
import { z } from "zod";
import type { IdentityProviderId } from "#db/tables/enums.ts";
import { ProviderError, unexpectedAnswer } from "../errors.ts";
import type { OnCall } from "../http.ts";
import { createOpenIdClient, type OpenIdFlow } from "../openid.ts";
import { type Claims, claimsSchema } from "./claims.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { identityProviders } from "./registry.ts";

export { cancelled } from "../openid.ts";

/** The store's registration at a provider. */
export interface IdentityAccount {
  /** Plain http only on localhost. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

export interface IdentityClientConfig extends IdentityAccount {
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** State kept in a signed cookie between leaving and coming back. */
export type IdentityFlow = OpenIdFlow;

export interface IdentityPerson {
  provider: IdentityProviderId;
  /** Part of the only stable id of this identity, with `subject`. Emails change hands, this pair does not. */
  issuer: string;
  subject: string;
  /** Email as reported by the provider. Unverified, it may be anyone's. Null when there is no plausible address. */
  email: string | null;
  emailIsVerified: boolean;
  firstName: string;
  lastName: string;
}

export interface IdentityClient {
  begin(redirectUri: string): Promise<{ url: string; flow: IdentityFlow }>;
  finish(redirectUri: string, answer: URLSearchParams, flow: IdentityFlow): Promise<IdentityPerson>;
}

const emailSchema = z
  .string()
  .max(200)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/);

/** Creates a client for the lifetime of the process: it caches the provider's endpoints. */
export function createIdentityClient(id: IdentityProviderId, config: IdentityClientConfig): IdentityClient {
  const provider = identityProviders[id];
  const client = createOpenIdClient({ ...config, provider: provider.system });
  return {
    /**
     * Returns the address for the browser, and the state that it must return.
     * @param redirectUri the store's callback, exactly as registered at the provider
     * @throws ProviderError when the provider cannot be reached
     */
    begin: (redirectUri) =>
      client.begin(redirectUri, {
        scope: provider.scope,
        // Logging out of the store does not log out of the provider. The account picker prevents the next person at this screen
        // from signing in as the previous one.
        prompt: "select_account",
      }),

    /**
     * Returns the person who came back.
     * @param redirectUri the same as for `begin`
     * @param answer the query of the callback
     * @throws ProviderError as the client's `finish`
     */
    async finish(redirectUri, answer, flow) {
      const { claims } = await client.finish(redirectUri, answer, flow);
      const read = claimsSchema.safeParse(claims);
      if (!read.success) {
        throw new ProviderError(provider.system, "refused", "token", { code: unexpectedAnswer });
      }
      return { provider: id, ...personOf(provider, read.data) };
    },
  };
}

function personOf(provider: IdentityProvider, claims: Claims): Omit<IdentityPerson, "provider"> {
  const email = emailSchema.safeParse(claims.email);
  const [firstName = "", ...rest] = (claims.name ?? "").split(" ");
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: email.success ? email.data : null,
    emailIsVerified: email.success && provider.vouchesFor(claims),
    firstName: (claims.given_name ?? firstName).slice(0, 200),
    lastName: (claims.family_name ?? rest.join(" ")).slice(0, 200),
  };
}
