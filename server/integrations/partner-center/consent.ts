/**
 * Partner consent: a user of the partner permits the store to call Partner Center for them. They sign in once at the partner's
 * own tenant, and the code they return with is exchanged for a refresh token (docs/providers.md, section 1.1).
 */
import { decodeJwt } from "jose";
import * as oidc from "openid-client";
import { z } from "zod";
import { unexpectedAnswer } from "../errors.ts";
import { baseOf, ProviderError, pathOf } from "../http.ts";
import type { OpenIdFlow } from "../openid.ts";
import type { PartnerCenterConfig } from "./config.ts";
import { findTenantId } from "./discovery.ts";
import { audienceOf, requestToken } from "./token.ts";

/** State kept between leaving for Microsoft and coming back. */
export type ConsentFlow = OpenIdFlow;

export interface ConsentResult {
  refreshToken: string;
  /** User principal name of the user who consented. */
  userName: string;
  /** Whether Partner Center's token confirms a second factor. */
  hasMfa: boolean;
}

export interface ConsentCalls {
  beginConsent(redirectUri: string): Promise<{ url: string; flow: ConsentFlow }>;
  finishConsent(redirectUri: string, answer: URLSearchParams, flow: ConsentFlow): Promise<ConsentResult>;
}

/** Code of a consent by a user of another tenant than the partner's. */
export const otherTenant = "other_tenant";

const idClaims = z.object({
  aud: z.string(),
  nonce: z.string(),
  tid: z.guid().transform((text) => text.toLowerCase()),
  upn: z.string().optional(),
  unique_name: z.string().optional(),
  amr: z.array(z.string()).default([]),
});
const accessClaims = z.object({ amr: z.array(z.string()).default([]) });

export function consentCalls(config: PartnerCenterConfig): ConsentCalls {
  const call = "consent";
  const refused = (code: string, description: string) =>
    new ProviderError("microsoft", "refused", call, { code, description });

  return {
    /** Returns the address for the partner's user, and the state that is needed when they return. */
    async beginConsent(redirectUri) {
      const flow = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = new URL(baseOf(config.loginUrl) + pathOf`/${config.partnerTenant}/oauth2/authorize`);
      url.search = new URLSearchParams({
        client_id: config.clientId,
        response_type: "code",
        response_mode: "query",
        redirect_uri: redirectUri,
        resource: audienceOf(config),
        scope: "openid",
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
        prompt: "login",
      }).toString();
      return { url: url.href, flow };
    },

    /**
     * Exchanges the code. The ID token comes from the token endpoint itself, over TLS, so its origin needs no signature, and this
     * version of the endpoint does not sign it.
     * @throws ProviderError (refused) with the code `access_denied` for a user who cancelled, `other_tenant` for a user of
     *   another tenant, the AADSTS number of Microsoft's refusal, or for a response to another request
     */
    async finishConsent(redirectUri, answer, flow) {
      if (answer.get("state") !== flow.state)
        throw refused(unexpectedAnswer, "The answer does not belong to this consent");
      const denied = answer.get("error");
      if (denied !== null) throw refused(harmless(denied), "Microsoft gave no code");
      const reply = await requestToken(config, {
        grant_type: "authorization_code",
        code: answer.get("code") ?? "",
        redirect_uri: redirectUri,
        code_verifier: flow.verifier,
      });
      const { refresh_token: refreshToken, access_token: accessToken, id_token: idToken = "" } = reply;
      const claims = idClaims.safeParse(claimsOf(idToken));
      if (!claims.success || refreshToken === undefined)
        throw refused(unexpectedAnswer, "Neither a refresh token nor who consented");
      const { aud, nonce, tid, upn, unique_name: name, amr } = claims.data;
      if (aud !== config.clientId || nonce !== flow.nonce)
        throw refused(unexpectedAnswer, "The ID token belongs to another request");
      if (tid !== (await findTenantId(config, config.partnerTenant)))
        throw refused(otherTenant, `Somebody of the tenant ${tid} consented`);
      const methods = [...amr, ...(accessClaims.safeParse(claimsOf(accessToken)).data?.amr ?? [])];
      return { refreshToken, userName: upn ?? name ?? "", hasMfa: methods.includes("mfa") };
    },
  };
}

/** Returns the claims of a token, or undefined for any other text. */
function claimsOf(token: string): unknown {
  try {
    return decodeJwt(token);
  } catch {
    return undefined;
  }
}

/** Replaces any other text, because an address can contain anything. */
function harmless(code: string): string {
  return /^[a-z_]{1,40}$/.test(code) ? code : unexpectedAnswer;
}
