/** An authenticated call to Partner Center: base address, token, the MS- headers, and one retry after a 401. */
import { randomUUID } from "node:crypto";
import { baseOf, type HttpMethod, ProviderError, type ProviderResponse, send } from "../http.ts";
import { secondsOfRetryAfter } from "../response.ts";
import { createThrottle } from "../throttle.ts";
import type { TokenSource } from "../token-source.ts";
import type { PartnerCenterConfig } from "./config.ts";
import { applicationTokenSource, noConsentCode } from "./token.ts";

export interface ApiCall {
  method: HttpMethod;
  /** Built with pathOf. Starts with /v1, or with /webhooks/v1. */
  path: string;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  headers?: Readonly<Record<string, string>>;
  /**
   * MS-RequestId. A write passes the id that its caller has stored, and the same one again while no response has arrived, so that
   * Microsoft can distinguish a repeat from a second order. A read passes none and gets a new one.
   */
  requestId?: string;
  /** Whether Microsoft accepts this call only on behalf of a user (docs/providers.md, section 1.1). */
  forUser?: boolean;
  /** Passwords in `json`. */
  secrets?: readonly string[];
}

/**
 * @throws ProviderError (transient) without a response, and (misconfigured, `no_consent`) for a call on behalf of a user while
 *   none has consented
 */
export type Api = (call: ApiCall) => Promise<ProviderResponse>;

/** @param asUser tokens for the consenting user, used for every call once there is one */
export function createApi(config: PartnerCenterConfig, asUser: TokenSource): Api {
  const asApplication = applicationTokenSource(config);
  const pace = createThrottle("microsoft", config.quota);

  async function tokenFor({ forUser = false }: ApiCall): Promise<{ tokens: TokenSource; token: string }> {
    try {
      return { tokens: asUser, token: await asUser.read() };
    } catch (error) {
      if (forUser || !(error instanceof ProviderError) || error.code !== noConsentCode) throw error;
      return { tokens: asApplication, token: await asApplication.read() };
    }
  }

  async function once(call: ApiCall, requestId: string, token: string): Promise<ProviderResponse> {
    const query = call.query === undefined ? "" : `?${new URLSearchParams(call.query).toString()}`;
    await pace?.turn(`${call.method} ${call.path}`);
    const answer = await send({
      provider: "microsoft",
      method: call.method,
      url: baseOf(config.apiUrl) + call.path + query,
      headers: {
        ...call.headers,
        Authorization: `Bearer ${token}`,
        "MS-RequestId": requestId,
        "MS-CorrelationId": randomUUID(),
        "MS-Contract-Version": "v1",
        "X-Locale": "en-US",
      },
      json: call.json,
      requestId,
      secrets: [token, ...(call.secrets ?? [])],
      timeoutMs: config.timeoutMs,
      onCall: config.onCall,
    });
    if (answer.status === 429) await pace?.refused(secondsOfRetryAfter(answer.retryAfter, Date.now()));
    return answer;
  }

  return async (call) => {
    const requestId = call.requestId ?? randomUUID();
    const { tokens, token } = await tokenFor(call);
    const answer = await once(call, requestId, token);
    if (answer.status !== 401) return answer;
    // The token was revoked early. The call itself was not processed, so the same request id is sent again.
    tokens.drop(token);
    return once(call, requestId, await tokens.read());
  };
}
