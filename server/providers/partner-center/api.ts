/** An authenticated call to Partner Center: base address, token, the MS- headers, and one retry after a 401. */
import { randomUUID } from "node:crypto";
import { type Answer, baseOf, type HttpMethod, send } from "../http.ts";
import type { PartnerCenterConfig } from "./config.ts";
import { createTokenSource } from "./token.ts";

export interface ApiCall {
  method: HttpMethod;
  /** Built with pathOf. Starts with /v1. */
  path: string;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  headers?: Readonly<Record<string, string>>;
  /**
   * MS-RequestId. A write passes the id that its caller has stored, and the same one again while no answer has arrived, so
   * that Microsoft can tell a repeat from a second order. A read passes none and gets a new one.
   */
  requestId?: string;
  /** Passwords in `json`. */
  secrets?: readonly string[];
}

export type Api = (call: ApiCall) => Promise<Answer>;

/** @throws ProviderError (transient) from the returned function when no answer arrives. */
export function createApi(config: PartnerCenterConfig): Api {
  const tokens = createTokenSource(config);

  async function once(call: ApiCall, requestId: string, token: string): Promise<Answer> {
    const query = call.query === undefined ? "" : `?${new URLSearchParams(call.query).toString()}`;
    return send({
      provider: "microsoft",
      method: call.method,
      url: baseOf(config.apiUrl) + call.path + query,
      headers: {
        ...call.headers,
        Authorization: `Bearer ${token}`,
        "MS-RequestId": requestId,
        "MS-CorrelationId": randomUUID(),
        "X-Locale": "en-US",
      },
      json: call.json,
      requestId,
      secrets: [token, ...(call.secrets ?? [])],
      timeoutMs: config.timeoutMs,
      onCall: config.onCall,
    });
  }

  return async (call) => {
    const requestId = call.requestId ?? randomUUID();
    const token = await tokens.read();
    const answer = await once(call, requestId, token);
    if (answer.status !== 401) return answer;
    // The token was revoked early. The call itself was not processed, so the same request id is sent again.
    tokens.drop(token);
    return once(call, requestId, await tokens.read());
  };
}
