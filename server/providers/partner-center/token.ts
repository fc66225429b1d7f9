/**
 * The access token of Partner Center calls, held in memory until shortly before it expires. With a stored refresh token
 * it acts for the consenting partner user (relationship, agreement and user calls demand that); without one, for the
 * application alone.
 */
import { z } from "zod";
import { baseOf, pathOf, readAnswer, send } from "../http.ts";
import type { PartnerCenterConfig } from "./config.ts";

export interface TokenSource {
  /** A valid access token; concurrent callers share one request. @throws ProviderError */
  read(): Promise<string>;
  /** Forgets `token` because the API turned it down; a newer one stays. */
  drop(token: string): void;
}

const microsoftResource = "https://api.partnercenter.microsoft.com";

/** A token this close to its end is not used: the call it is for takes time too. */
const safetyMs = 120_000;

const reply = z.object({
  access_token: z.string().min(1),
  // This endpoint writes its numbers as strings.
  expires_in: z.coerce.number().positive().default(600),
  refresh_token: z.string().min(1).optional(),
});

export function createTokenSource(config: PartnerCenterConfig): TokenSource {
  let current: { token: string; goodUntil: number } | undefined;
  let pending: Promise<string> | undefined;

  async function request(): Promise<string> {
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
      // The 90 days of a refresh token roll on only if the new one is kept.
      await config.tokens.storeRefreshToken(token.refresh_token);
    }
    const lifeMs = token.expires_in * 1000;
    // A token of a few minutes gets half its life, so that it is used at all.
    current = { token: token.access_token, goodUntil: Date.now() + Math.max(lifeMs - safetyMs, lifeMs / 2) };
    return token.access_token;
  }

  return {
    read() {
      if (current !== undefined && Date.now() < current.goodUntil) return Promise.resolve(current.token);
      pending ??= request().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    drop(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
