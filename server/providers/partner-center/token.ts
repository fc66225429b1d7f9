/**
 * The access token for Partner Center calls, cached in memory until shortly before it expires. With a stored refresh token it
 * acts for the consenting partner user, which relationship, agreement and user calls require. Without one it acts for the
 * application alone.
 */
import { z } from "zod";
import { baseOf, pathOf, readAnswer, send } from "../http.ts";
import { cachedTokenSource, type TokenSource } from "../token-source.ts";
import type { PartnerCenterConfig } from "./config.ts";

const microsoftResource = "https://api.partnercenter.microsoft.com";

const reply = z.object({
  access_token: z.string().min(1),
  // This endpoint sends numbers as strings.
  expires_in: z.coerce.number().positive().default(600),
  refresh_token: z.string().min(1).optional(),
});

export function createTokenSource(config: PartnerCenterConfig): TokenSource {
  return cachedTokenSource(async () => {
    const refreshToken = await config.tokens.readRefreshToken();
    const answer = await send({
      provider: "microsoft",
      method: "POST",
      url: baseOf(config.loginUrl) + pathOf`/${config.partnerTenant}/oauth2/token`,
      form: {
        resource: config.resource ?? microsoftResource,
        client_id: config.clientId,
        client_secret: config.clientSecret,
        ...(refreshToken === null
          ? { grant_type: "client_credentials" }
          : { grant_type: "refresh_token", refresh_token: refreshToken, scope: "openid" }),
      },
      secrets: [config.clientSecret, refreshToken ?? ""],
      timeoutMs: config.timeoutMs,
      onCall: config.onCall,
    });
    const token = readAnswer(answer, reply);
    if (token.refresh_token !== undefined && token.refresh_token !== refreshToken) {
      // A refresh token expires after 90 days unless each new one is stored.
      await config.tokens.storeRefreshToken(token.refresh_token);
    }
    return { token: token.access_token, lifeMs: token.expires_in * 1000 };
  });
}
