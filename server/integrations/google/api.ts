/**
 * An authenticated call to a Google API: base address, token, one retry after a 401. Also the names and paging that all calls
 * share.
 */

import { baseOf, type HttpMethod, ProviderError, type ProviderResponse, pathOf, send } from "../http.ts";
import { secondsOfRetryAfter } from "../response.ts";
import { createThrottle } from "../throttle.ts";
import { type GoogleConfig, googleChannelUrl, googleDirectoryUrl } from "./config.ts";
import { createTokenSource } from "./token.ts";

export interface ApiCall {
  api: "channel" | "directory";
  method: HttpMethod;
  /** Built with pathOf and nameIn. */
  path: string;
  query?: Readonly<Record<string, string>>;
  json?: unknown;
  /** The `requestId` inside `json`, for the log. Google has no header for it. */
  requestId?: string;
  /** Passwords and transfer tokens in `json`. */
  secrets?: readonly string[];
}

export type Api = (call: ApiCall) => Promise<ProviderResponse>;

/**
 * @param scopes scopes of its tokens; orders and users when left out
 * @throws Error when the private key cannot be read.
 * @throws ProviderError (transient) from the returned function without a response.
 */
export function createApi(config: GoogleConfig, scopes?: readonly string[]): Api {
  const tokens = createTokenSource(config, scopes);
  const ofQuota = createThrottle("google", config.quota);
  const bases = {
    channel: baseOf(config.channelUrl ?? googleChannelUrl),
    directory: baseOf(config.directoryUrl ?? googleDirectoryUrl),
  };

  async function once(call: ApiCall, token: string): Promise<ProviderResponse> {
    const query = call.query === undefined ? "" : `?${new URLSearchParams(call.query).toString()}`;
    const pace = isPaced(call) ? ofQuota : undefined;
    await pace?.turn(`${call.method} ${call.path}`);
    const answer = await send({
      provider: "google",
      method: call.method,
      url: bases[call.api] + call.path + query,
      headers: { Authorization: `Bearer ${token}` },
      json: call.json,
      ...(call.requestId === undefined ? {} : { requestId: call.requestId }),
      secrets: [token, ...(call.secrets ?? [])],
      timeoutMs: config.timeoutMs,
      onCall: config.onCall,
    });
    if (answer.status === 429) await pace?.refused(secondsOfRetryAfter(answer.retryAfter, Date.now()));
    return answer;
  }

  return async (call) => {
    const token = await tokens.read();
    const answer = await once(call, token);
    if (answer.status !== 401) return answer;
    // The token was revoked early. The call itself was not processed, so the same request id is sent again.
    tokens.drop(token);
    return once(call, await tokens.read());
  };
}

/** Whether the call counts against the quota: see docs/providers.md, section 2.1. */
const isPaced = ({ api, path }: ApiCall) => api === "channel" && !path.startsWith("/v1/operations/");

const collections = {
  product: /^products\/[^/]+$/,
  customer: /^accounts\/[^/]+\/customers\/[^/]+$/,
  entitlement: /^accounts\/[^/]+\/customers\/[^/]+\/entitlements\/[^/]+$/,
  operation: /^operations\/.+$/,
  report: /^accounts\/[^/]+\/reports\/[^/]+$/,
  "report job": /^accounts\/[^/]+\/reportJobs\/[^/]+$/,
};

/**
 * Returns the path of a resource by its full name, as Google returns it: `/v1/accounts/{a}/customers/{c}`.
 * @throws RangeError for a name of another kind, which would address another resource.
 */
export function resourcePath(kind: keyof typeof collections, name: string): string {
  if (!collections[kind].test(name)) throw new RangeError(`Not the name of a Google ${kind}: "${name}"`);
  return name.split("/").reduce((path, segment) => path + pathOf`/${segment}`, "/v1");
}

/**
 * Checks a request id: Google accepts any UUID but the nil UUID, and recognises a repeat only by a UUID.
 * @throws RangeError
 */
export function requireGoogleRequestId(requestId: string): string {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(requestId);
  if (!isUuid || /^[0-]+$/.test(requestId)) throw new RangeError("A Google request id is a non-zero UUID");
  return requestId;
}

/** More pages than any list here can have: a list that never ends must not block a job forever. */
const maxPages = 100;

interface Page<Item> {
  items: readonly Item[];
  nextPageToken: string | undefined;
}

/**
 * Reads every item of a list, page by page.
 * @param read reads one page; the token goes into its query or body as `pageToken`, `{}` for the first
 * @throws ProviderError as `read` does; refused with code `endless_list` when the pages do not end.
 */
export async function allPages<Item>(
  call: string,
  read: (page: { pageToken?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let page: { pageToken?: string } = {};
  for (let count = 0; count < maxPages; count += 1) {
    const { items: more, nextPageToken } = await read(page);
    items.push(...more);
    if (!nextPageToken) return items;
    page = { pageToken: nextPageToken };
  }
  throw new ProviderError("google", "refused", call, { code: "endless_list" });
}
