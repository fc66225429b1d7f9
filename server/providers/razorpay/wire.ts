/**
 * The `razorpay` package made fit to depend on. As it comes it calls a fixed address, never times out, throws a
 * TypeError when the network fails and drops the headers of an error reply. Here its inner HTTP client (axios) is told
 * to send through http.ts like every other provider; the package keeps what it is good for, paths and bodies.
 */
import Razorpay from "razorpay";
import { z } from "zod";
import { unexpectedAnswer } from "../errors.ts";
import {
  type Answer,
  baseOf,
  type HttpMethod,
  type OnCall,
  ProviderError,
  readAnswer,
  send,
} from "../http.ts";

export interface WireConfig {
  keyId: string;
  keySecret: string;
  apiUrl: string;
  timeoutMs: number;
  onCall?: OnCall | undefined;
}

export interface RazorpayWire {
  sdk: Razorpay;
  /** The answer to a call made through `sdk`. @throws ProviderError */
  read<T>(pending: Promise<unknown>, schema: z.ZodType<T>): Promise<T>;
  /** A call the package cannot make: it has no way to send a header. `path` follows the API's base address. */
  call(method: HttpMethod, path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** The part of an axios request the package fills in. */
const axiosRequest = z.object({
  method: z.enum(["get", "post", "put", "patch", "delete"]),
  /** Starts with the API version, which our base address already ends with. */
  url: z.string().startsWith("/v1/"),
  params: z.record(z.string(), z.unknown()).nullish(),
  /** JSON text. */
  data: z.string().nullish(),
});

const upperCase = { get: "GET", post: "POST", put: "PUT", patch: "PATCH", delete: "DELETE" } as const;

export function createWire(config: WireConfig): RazorpayWire {
  const sdk = new Razorpay({ key_id: config.keyId, key_secret: config.keySecret });
  const basic = Buffer.from(`${config.keyId}:${config.keySecret}`).toString("base64");

  const call: RazorpayWire["call"] = (method, path, json, headers = {}) =>
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

  // The package hands back whatever `data` the HTTP client put in its response, untouched: a ticket for the outcome.
  // A failure travels the same way, since a rejection would run into the package's broken error handling.
  const outcomes = new WeakMap<object, Answer | ProviderError>();

  sendThrough(sdk, async (request) => {
    const { method, url, params, data } = axiosRequest.parse(request);
    const path = url.slice("/v1".length) + queryOf(params);
    const ticket = {};
    try {
      outcomes.set(ticket, await call(upperCase[method], path, data ? JSON.parse(data) : undefined));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      outcomes.set(ticket, error);
    }
    return { data: ticket, status: 200, statusText: "OK", headers: {}, config: request };
  });

  return {
    sdk,
    call,
    async read(pending, schema) {
      const ticket = await pending;
      const outcome = typeof ticket === "object" && ticket !== null ? outcomes.get(ticket) : undefined;
      if (outcome === undefined) {
        throw new ProviderError("razorpay", "refused", "a call", { code: unexpectedAnswer });
      }
      if (outcome instanceof ProviderError) throw outcome;
      return readAnswer(outcome, schema);
    },
  };
}

/**
 * The only place that looks inside the package: `api.rq` is its axios instance, and an axios adapter is what sends.
 * @throws Error at start when a new version of the package has moved it.
 */
function sendThrough(sdk: Razorpay, adapter: (request: unknown) => Promise<unknown>): void {
  const client: unknown = Reflect.get(sdk.api, "rq");
  const defaults: unknown = typeof client === "function" ? Reflect.get(client, "defaults") : undefined;
  if (typeof defaults !== "object" || defaults === null) {
    throw new Error(
      "The razorpay package keeps its HTTP client elsewhere than api.rq: adapt razorpay/wire.ts",
    );
  }
  Reflect.set(defaults, "adapter", adapter);
}

function queryOf(params: Record<string, unknown> | null | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (typeof value === "string" || typeof value === "number") query.set(name, String(value));
  }
  return query.size === 0 ? "" : `?${query.toString()}`;
}
