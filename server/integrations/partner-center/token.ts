/**
 * Access tokens for Partner Center, cached in memory until shortly before they expire: one for the partner's consenting user, and
 * one for only the application (docs/providers.md, section 1.1).
 */
import { z } from "zod";
import {
  baseOf,
  errorOf,
  ProviderError,
  type ProviderResponse,
  parseResponse,
  pathOf,
  send,
} from "../http.ts";
import { cachedTokenSource, type TokenSource } from "../token-source.ts";
import type { PartnerCenterConfig } from "./config.ts";

const microsoftResource = "https://api.partnercenter.microsoft.com";

const reply = z.object({
  access_token: z.string().min(1),
  // This endpoint sends numbers as strings.
  expires_in: z.coerce.number().positive().default(600),
  refresh_token: z.string().min(1).optional(),
  id_token: z.string().optional(),
});
type Reply = z.output<typeof reply>;

/** Code of a call that Microsoft accepts only on behalf of a user, while none has consented. */
export const noConsentCode = "no_consent";

export function audienceOf(config: PartnerCenterConfig): string {
  return config.resource ?? microsoftResource;
}

/** @throws ProviderError (misconfigured, `no_consent`) from `read` while no user of the partner has consented */
export function userTokenSource(config: PartnerCenterConfig): TokenSource {
  return cachedTokenSource(async () => {
    const refreshToken = await config.consent.readRefreshToken();
    if (refreshToken === null) {
      throw new ProviderError("microsoft", "misconfigured", "a call for a user", {
        code: noConsentCode,
        description: "No user of the partner has consented: npm run consent",
      });
    }
    const token = await requestToken(config, {
      grant_type: "refresh_token",
      refresh_token: refreshToken,
      scope: "openid",
    });
    // A refresh token expires after 90 days unless each new one is stored.
    await config.consent.replaceRefreshToken(refreshToken, token.refresh_token ?? refreshToken);
    return lasting(token);
  });
}

export function applicationTokenSource(config: PartnerCenterConfig): TokenSource {
  return cachedTokenSource(async () =>
    lasting(await requestToken(config, { grant_type: "client_credentials" })),
  );
}

const lasting = ({ access_token: token, expires_in: seconds }: Reply) => ({ token, lifeMs: seconds * 1000 });

/**
 * Requests a token from the partner's tenant.
 * @throws ProviderError with Entra's own number as its code ("AADSTS700082"), the only indication of the reason
 */
export async function requestToken(
  config: PartnerCenterConfig,
  grant: Readonly<Record<string, string>>,
): Promise<Reply> {
  const answer = await send({
    provider: "microsoft",
    method: "POST",
    url: baseOf(config.loginUrl) + pathOf`/${config.partnerTenant}/oauth2/token`,
    form: {
      resource: audienceOf(config),
      client_id: config.clientId,
      client_secret: config.clientSecret,
      ...grant,
    },
    secrets: [config.clientSecret, grant.refresh_token ?? "", grant.code ?? "", grant.code_verifier ?? ""],
    timeoutMs: config.timeoutMs,
    onCall: config.onCall,
  });
  if (answer.status >= 400) throw numbered(answer);
  return parseResponse(answer, reply);
}

function numbered(answer: ProviderResponse): ProviderError {
  const error = errorOf(answer);
  const code = /AADSTS\d+/.exec(error.description ?? "")?.[0] ?? error.code;
  return new ProviderError(error.provider, error.kind, answer.call, { ...error, code });
}
