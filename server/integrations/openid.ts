/**
 * Sign-in at an identity provider with OpenID Connect: returns the address for the browser, and the claims of the person who
 * comes back. Always uses PKCE, state and nonce, and checks the ID token's signature. The caller interprets the claims.
 */
import * as oidc from "openid-client";
import { egressFetch } from "#server/foundation/security/egress.ts";
import { isLoopback } from "#server/foundation/security/network.ts";
import { kindOfStatus, type Provider } from "./errors.ts";
import { type OnCall, ProviderError } from "./http.ts";

/** Identity providers, as their calls are counted and logged. */
export type OpenIdProvider = Extract<Provider, "outlook" | "entra" | "google-sign-in">;

export interface OpenIdConfig {
  provider: OpenIdProvider;
  /** Plain http only on localhost. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** State kept in a signed cookie between leaving and coming back. */
export interface OpenIdFlow {
  state: string;
  nonce: string;
  verifier: string;
}

/** The person who came back, as signed by the provider. */
export interface VerifiedSignIn {
  claims: oidc.IDToken;
  /** Access token for the requested scope, on behalf of that person. */
  accessToken: string;
}

/** Microsoft's tenant of all personal accounts (outlook.com, hotmail.com). */
export const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** Error when the buyer pressed Cancel at the provider. */
export const cancelled = "access_denied";

export interface OpenIdClient {
  begin(
    redirectUri: string,
    input: Readonly<Record<string, string>>,
  ): Promise<{ url: string; flow: OpenIdFlow }>;
  finish(redirectUri: string, answer: URLSearchParams, flow: OpenIdFlow): Promise<VerifiedSignIn>;
}

/** Creates a client of one issuer. */
export function createOpenIdClient(config: OpenIdConfig): OpenIdClient {
  const onThisMachine = isLoopback(config.issuer);
  let found: Promise<oidc.Configuration> | undefined;

  /** Returns the provider's endpoints, fetched once and cached. A failure is not cached. */
  function discover(): Promise<oidc.Configuration> {
    found ??= oidc
      .discovery(new URL(config.issuer), config.clientId, config.clientSecret, undefined, {
        timeout: config.timeoutMs / 1_000,
        [oidc.customFetch]: reporting(config),
        execute: [oidc.enableNonRepudiationChecks, ...(onThisMachine ? [oidc.allowInsecureRequests] : [])],
      })
      .catch((error: unknown) => {
        found = undefined;
        throw asProviderError(config.provider, error, "discovery");
      });
    return found;
  }

  return {
    /**
     * Returns the address for the browser, and the state that it must return.
     * @param redirectUri the store's callback, exactly as registered at the provider
     * @param input parameters of the request, including the scope
     * @throws ProviderError when the provider cannot be reached
     */
    async begin(redirectUri, input) {
      const flow = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await discover(), {
        ...input,
        redirect_uri: redirectUri,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, flow };
    },

    /**
     * Returns the person who came back.
     * @param redirectUri the same as for `begin`
     * @param answer the query of the callback
     * @throws ProviderError (refused) with the code `cancelled` for a buyer who cancelled, and for every response that
     *   does not belong to this flow: state, nonce, issuer, audience, signature, a reused code; (transient) without a
     *   response
     */
    async finish(redirectUri, answer, flow) {
      const url = new URL(redirectUri);
      url.search = answer.toString();
      const configuration = await discover();
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: flow.verifier,
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new TypeError("An answer without an ID token");
        return { claims, accessToken: tokens.access_token };
      } catch (error) {
        throw asProviderError(config.provider, error, "token");
      }
    },
  };
}

/** Logs every call, and maps missing and temporary responses to the same errors as for other providers. */
function reporting({ provider, timeoutMs, onCall }: OpenIdConfig): oidc.CustomFetch {
  return async (address, options) => {
    const { pathname } = new URL(address);
    const call = `${options.method} ${pathname}`;
    const started = performance.now();
    const report = (status: number | null) =>
      onCall?.({
        provider,
        method: options.method,
        path: pathname,
        status,
        ms: Math.round(performance.now() - started),
        requestId: null,
      });
    let response: Response;
    try {
      const { body } = options;
      const sent = body instanceof Uint8Array ? Buffer.from(body) : body;
      response = await egressFetch(address, { ...options, body: sent }, { timeoutMs });
    } catch (error) {
      report(null);
      const code = error instanceof Error && error.name === "TimeoutError" ? "timeout" : "network";
      throw new ProviderError(provider, "transient", call, { code });
    }
    report(response.status);
    if (kindOfStatus(provider, response.status) === "transient") {
      throw new ProviderError(provider, "transient", call, { status: response.status });
    }
    return response;
  };
}

/**
 * Keeps only the error's code, because its text and cause may contain codes, tokens and a stranger's input from an address.
 */
function asProviderError(provider: Provider, error: unknown, call: string): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof Error && error.cause instanceof ProviderError) return error.cause;
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    return new ProviderError(provider, "refused", call, { code: harmless(error.error) });
  }
  const code = error instanceof oidc.ClientError ? error.code : undefined;
  return new ProviderError(provider, "refused", call, { code: harmless(code ?? "unexpected_answer") });
}

function harmless(code: string): string {
  return /^[A-Za-z0-9_.-]{1,60}$/.test(code) ? code : "unexpected_answer";
}
