/**
 * Signing in at Microsoft (Entra ID) with OpenID Connect: where to send a browser, and who comes back. Always with PKCE, state
 * and nonce, and the ID token's signature is checked. Who that person is to the store is the accounts' business.
 */
import * as oidc from "openid-client";
import { z } from "zod";
import { isLoopback } from "../security/network.ts";
import { kindOfStatus } from "./errors.ts";
import { type OnCall, ProviderError } from "./http.ts";

export interface OutlookConfig {
  /** `https://login.microsoftonline.com/common/v2.0`; plain http only on this machine. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

/** What the browser keeps between leaving and coming back; for a signed cookie. */
export interface OutlookFlow {
  state: string;
  nonce: string;
  verifier: string;
}

export interface OutlookPerson {
  /** With `subject` the only name of this identity: emails change hands, this pair does not. */
  issuer: string;
  subject: string;
  /** As Microsoft tells it; anybody's, unless it is verified. Null when there is none that could be one. */
  email: string | null;
  emailIsVerified: boolean;
  firstName: string;
  lastName: string;
}

export interface Outlook {
  begin(redirectUri: string): Promise<{ url: string; flow: OutlookFlow }>;
  finish(redirectUri: string, answer: URLSearchParams, flow: OutlookFlow): Promise<OutlookPerson>;
}

/** The tenant of all personal accounts (outlook.com, hotmail.com), whose emails Microsoft verifies itself. */
const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** The buyer pressed Cancel at Microsoft. */
export const cancelled = "access_denied";

const claimsSchema = z.object({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  tid: z.string().optional(),
  email: z.string().trim().optional(),
  name: z.string().trim().optional(),
  given_name: z.string().trim().optional(),
  family_name: z.string().trim().optional(),
  /** "Email domain owner verified": the tenant has proven that the address's domain is its own. */
  xms_edov: z.unknown().optional(),
});
type Claims = z.infer<typeof claimsSchema>;

const emailSchema = z
  .string()
  .max(200)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/);

/** A client of Microsoft's sign-in. */
export function createOutlook(config: OutlookConfig): Outlook {
  const onThisMachine = isLoopback(config.issuer);
  let found: Promise<oidc.Configuration> | undefined;

  /** The provider's endpoints, asked for once; a failure is not kept. */
  function discover(): Promise<oidc.Configuration> {
    found ??= oidc
      .discovery(new URL(config.issuer), config.clientId, config.clientSecret, undefined, {
        timeout: config.timeoutMs / 1_000,
        [oidc.customFetch]: reporting(config.onCall),
        execute: [oidc.enableNonRepudiationChecks, ...(onThisMachine ? [oidc.allowInsecureRequests] : [])],
      })
      .catch((error: unknown) => {
        found = undefined;
        throw asProviderError(error, "discovery");
      });
    return found;
  }

  return {
    /**
     * Where to send the browser, and what it must bring back.
     * @param redirectUri the store's callback, exactly as it is registered at Microsoft
     * @throws ProviderError when the provider cannot be reached
     */
    async begin(redirectUri) {
      const flow = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri,
        scope: "openid profile email",
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
        // Logging out of the store does not log out of Microsoft: the next at this screen must not become the last.
        prompt: "select_account",
      });
      return { url: url.href, flow };
    },

    /**
     * Who came back.
     * @param redirectUri as it was at the beginning
     * @param answer the query of the callback
     * @throws ProviderError (refused) with the code `cancelled` for a buyer who changed their mind, and for every answer that is
     *   not this flow's: state, nonce, issuer, audience, signature, a code used before; (transient) when there is no answer
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
        return personOf(claimsSchema.parse(tokens.claims()));
      } catch (error) {
        throw asProviderError(error, "token");
      }
    },
  };
}

function personOf(claims: Claims): OutlookPerson {
  const email = emailSchema.safeParse(claims.email);
  const [firstName = "", ...rest] = (claims.name ?? "").split(/\s+/);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: email.success ? email.data : null,
    emailIsVerified: email.success && isTrustworthy(claims),
    firstName: (claims.given_name ?? firstName).slice(0, 200),
    lastName: (claims.family_name ?? rest.join(" ")).slice(0, 200),
  };
}

/** Any tenant's administrator can write any address into a user's email: only these two have been proven (nOAuth). */
function isTrustworthy({ tid, xms_edov: verified }: Claims): boolean {
  return (
    tid === personalTenant || verified === true || verified === 1 || verified === "true" || verified === "1"
  );
}

/** Tells of every call, and turns "no answer" and "not now" into what they are everywhere else. */
function reporting(onCall: OnCall | undefined): oidc.CustomFetch {
  return async (address, options) => {
    const { pathname } = new URL(address);
    const call = `${options.method} ${pathname}`;
    const started = performance.now();
    const report = (status: number | null) =>
      onCall?.({
        provider: "outlook",
        method: options.method,
        path: pathname,
        status,
        ms: Math.round(performance.now() - started),
        requestId: null,
      });
    let response: Response;
    try {
      const { body } = options;
      response = await fetch(address, {
        ...options,
        body: body instanceof Uint8Array ? Buffer.from(body) : body,
      });
    } catch (error) {
      report(null);
      const code = error instanceof Error && error.name === "TimeoutError" ? "timeout" : "network";
      throw new ProviderError("outlook", "transient", call, { code });
    }
    report(response.status);
    if (kindOfStatus(response.status) === "transient") {
      throw new ProviderError("outlook", "transient", call, { status: response.status });
    }
    return response;
  };
}

/** Keeps the error's code alone: its text and its cause hold codes, tokens and whatever a stranger wrote into an address. */
function asProviderError(error: unknown, call: string): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof Error && error.cause instanceof ProviderError) return error.cause;
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    return new ProviderError("outlook", "refused", call, { code: harmless(error.error) });
  }
  const code = error instanceof oidc.ClientError ? error.code : undefined;
  return new ProviderError("outlook", "refused", call, { code: harmless(code ?? "unexpected_answer") });
}

function harmless(code: string): string {
  return /^[A-Za-z0-9_.-]{1,60}$/.test(code) ? code : "unexpected_answer";
}
