/**
 * Adapts the `razorpay` package. By default it calls a fixed address, never times out, throws a TypeError when the network fails
 * and drops the headers of an error response, and it has no options for any of these
 * (docs/decisions/payments.md#payment-provider). All its calls go through two methods of its public `api`, which are replaced
 * here to send through http.ts, as for every other provider. The package still builds the paths and bodies.
 */
import Razorpay from "razorpay";
import type { z } from "zod";
import { baseOf, type HttpMethod, type OnCall, type ProviderResponse, parseResponse, send } from "../http.ts";

export interface SdkAdapterConfig {
  keyId: string;
  keySecret: string;
  apiUrl: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

export interface RazorpaySdk {
  sdk: Razorpay;
  /** Returns the response to a call made through `sdk`. @throws ProviderError */
  read<T>(pending: Promise<unknown>, schema: z.ZodType<T>): Promise<T>;
  /** Makes a call that the package cannot make, because it cannot send headers. `path` follows the API's base address. */
  call(
    method: HttpMethod,
    path: string,
    json?: unknown,
    headers?: Record<string, string>,
  ): Promise<ProviderResponse>;
}

/** Argument that the package passes to its `api`: a path without the version, and a query or a body. */
interface ApiCall {
  url: string;
  data?: Readonly<Record<string, unknown>>;
}

/** Result of the package's calls: it returns the result of its `api` unchanged. */
class Reply {
  constructor(readonly answer: ProviderResponse) {}
}

export function createSdkAdapter(config: SdkAdapterConfig): RazorpaySdk {
  const sdk = new Razorpay({ key_id: config.keyId, key_secret: config.keySecret });
  const basic = Buffer.from(`${config.keyId}:${config.keySecret}`).toString("base64");

  const call: RazorpaySdk["call"] = (method, path, json, headers = {}) =>
    send({
      provider: "razorpay",
      method,
      url: baseOf(config.apiUrl) + path,
      headers: { ...headers, Authorization: `Basic ${basic}` },
      json,
      secrets: [config.keySecret],
      timeoutMs: config.timeoutMs,
      onCall: config.onCall,
    });

  Object.assign(sdk.api, {
    get: async ({ url, data }: ApiCall) => new Reply(await call("GET", url + queryOf(data))),
    post: async ({ url, data }: ApiCall) => new Reply(await call("POST", url, data)),
  });

  return {
    sdk,
    call,
    async read(pending, schema) {
      const reply = await pending;
      if (!(reply instanceof Reply)) {
        throw new TypeError(
          "The razorpay package no longer calls through its api: adapt razorpay/sdk-adapter.ts",
        );
      }
      return parseResponse(reply.answer, schema);
    },
  };
}

function queryOf(params: ApiCall["data"] = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === "string" || typeof value === "number") query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}
