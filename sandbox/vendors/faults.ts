/**
 * The failures that the sandbox can simulate. The transport faults (slow, refused, cut, silent) happen here, before or after the
 * vendor's handler. `orderErrors` and `pendingOrder` change a response and are applied by the checkout handler itself;
 * `operationError` by the calls that begin one of Google's long-running operations, or read an export of Microsoft's. Kept in
 * memory only: a restarted sandbox is a healthy one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from "express";
import { getResponse, type HttpHandler } from "msw";
import { z } from "zod";

export const faultSchema = z.object({
  /**
   * `path` is a regular expression tested against path and query; `body` one tested against the JSON sent, transport faults only.
   */
  match: z.object({
    method: z.string().optional(),
    path: z.string().refine(isRegExp, "not a regular expression"),
    body: z.string().refine(isRegExp, "not a regular expression").optional(),
  }),
  kind: z.enum([
    "slow",
    "404",
    "429",
    "500",
    "500-after",
    "503",
    "reset",
    "reset-after",
    "timeout",
    "hang-before",
    "hang-after",
    "orderErrors",
    "pendingOrder",
    "operationError",
    "refuse",
  ]),
  /** Response of `refuse`: the status, with the code and the message in the vendor's own format. */
  status: z.int().min(200).max(599).optional(),
  code: z.string().optional(),
  description: z.string().optional(),
  /** Number of calls that it affects; every one when left out. */
  times: z.int().positive().optional(),
  delayMs: z.int().nonnegative().optional(),
  retryAfterSeconds: z.int().nonnegative().optional(),
});
export type Fault = z.infer<typeof faultSchema>;
type Kind = Fault["kind"];

const answerKinds: readonly Kind[] = ["orderErrors", "pendingOrder", "operationError"];

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

export class Faults {
  #list: { fault: Fault; left: number }[] = [];
  #replaced = new AbortController();

  /** Replaces all faults; delayed calls continue at once. */
  replace(faults: readonly Fault[]): void {
    this.#replaced.abort();
    this.#replaced = new AbortController();
    this.#list = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  list(): Fault[] {
    return this.#list.map(({ fault, left }) => (Number.isFinite(left) ? { ...fault, times: left } : fault));
  }

  /** Waits for a slow call's delay, or until the faults are replaced. */
  async slowDown(delayMs: number): Promise<void> {
    const { signal } = this.#replaced;
    await sleep(delayMs, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Takes the transport fault for this call, using it up by one. */
  takeTransport(method: string, path: string, body: string): Fault | undefined {
    return this.#take(method, path, (kind) => !answerKinds.includes(kind), body);
  }

  /** Whether this call's response has to be changed, using the fault up by one. */
  takeAnswer(request: Request, kind: Kind): boolean {
    const url = new URL(request.url);
    return this.#take(request.method, url.pathname + url.search, (each) => each === kind) !== undefined;
  }

  #take(method: string, path: string, wanted: (kind: Kind) => boolean, body = ""): Fault | undefined {
    const found = this.#list.find(
      ({ fault: { match, kind }, left }) =>
        left > 0 &&
        wanted(kind) &&
        (match.method === undefined || match.method.toUpperCase() === method.toUpperCase()) &&
        new RegExp(match.path).test(path) &&
        (match.body === undefined || new RegExp(match.body).test(body)),
    );
    if (found === undefined) return undefined;
    found.left -= 1;
    this.#list = this.#list.filter((each) => each.left > 0);
    return found.fault;
  }
}

async function handleUnanswered(handlers: readonly HttpHandler[], req: ExpressRequest): Promise<void> {
  await getResponse([...handlers], toFetchRequest(req));
}

/** Applies faults before the handlers; those that strike afterwards run the handlers first and discard their response. */
export function faultMiddleware(faults: Faults, handlers: readonly HttpHandler[]) {
  return async (req: ExpressRequest, res: ExpressResponse, next: NextFunction): Promise<void> => {
    const sent: unknown = req.body;
    const body = Buffer.isBuffer(sent) ? "" : JSON.stringify(sent ?? "");
    const fault = faults.takeTransport(req.method, req.originalUrl, body);
    switch (fault?.kind) {
      case undefined:
        next();
        return;
      case "slow":
        await faults.slowDown(fault.delayMs ?? 3000);
        next();
        return;
      case "404":
        // A new resource is not always visible at once.
        res.status(404).json(refusal(req.originalUrl, 404, "Not found"));
        return;
      case "429":
        res.set("Retry-After", String(fault.retryAfterSeconds ?? 1));
        res.status(429).json(refusal(req.originalUrl, 429, "Too many requests"));
        return;
      case "refuse":
        if (fault.retryAfterSeconds !== undefined) res.set("Retry-After", String(fault.retryAfterSeconds));
        res.status(fault.status ?? 400).json(refusalOf(req.originalUrl, fault));
        return;
      case "500":
        res.status(500).json(refusal(req.originalUrl, 500, "Internal server error"));
        return;
      case "500-after":
        // Performed, but refused.
        await handleUnanswered(handlers, req);
        res.status(500).json(refusal(req.originalUrl, 500, "Internal server error"));
        return;
      case "503":
        res.status(503).json(refusal(req.originalUrl, 503, "The service is currently unavailable"));
        return;
      case "reset":
        req.socket.resetAndDestroy();
        return;
      case "timeout":
      case "hang-before":
        // Never answered: the caller's own timeout or crash ends it.
        return;
      case "reset-after":
        await handleUnanswered(handlers, req);
        req.socket.resetAndDestroy();
        return;
      case "hang-after":
        await handleUnanswered(handlers, req);
        return;
      default:
        next();
    }
  };
}

/** A refusal with one of the vendor's codes, in that vendor's format. */
function refusalOf(
  path: string,
  { status = 400, code = String(status), description = "Refused as a test asked for" }: Fault,
): object {
  if (path.startsWith("/razorpay"))
    return {
      error: { code: "BAD_REQUEST_ERROR", description, source: "NA", step: "NA", reason: "NA", metadata: {} },
    };
  if (path.startsWith("/microsoft-login") || path.startsWith("/google-token"))
    return { error: code, error_description: description };
  if (path.startsWith("/google-"))
    return { error: { code: status, message: description, status: code, details: [] } };
  if (path.startsWith("/gsp")) return { success: false, message: `${code} : ${description}` };
  return { code, description, data: [], source: "PartnerFD" };
}

/** Each vendor reports an overload in its own format. */
function refusal(path: string, statusCode: number, message: string): object {
  if (path.startsWith("/razorpay")) {
    const code = statusCode === 429 ? "BAD_REQUEST_ERROR" : "SERVER_ERROR";
    return { error: { code, description: message, source: "NA", step: "NA", reason: "NA", metadata: {} } };
  }
  if (path.startsWith("/gst")) return { code: "internal_error", message, type: "internal_error" };
  if (path.startsWith("/gsp")) return { success: false, message };
  if (path.startsWith("/google-token")) return { error: "internal_failure", error_description: message };
  if (path.startsWith("/google-")) {
    const status =
      { 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE" }[statusCode] ?? "INTERNAL";
    return { error: { code: statusCode, message, status, details: [] } };
  }
  if (statusCode === 429) return { statusCode, message };
  // 20000 is Partner Center's code for a resource that does not exist yet.
  const code = statusCode === 404 ? "20000" : String(statusCode);
  return { code, description: message, data: [], source: "PartnerFD" };
}

/** The body parsers have already read the body: parsed JSON for JSON, raw bytes for everything else. */
function toFetchRequest(req: ExpressRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const url = new URL(req.originalUrl, `http://${req.get("host") ?? "localhost"}`);
  if (req.method === "GET" || req.method === "HEAD") return new Request(url, { method: req.method, headers });
  const body: unknown = req.body;
  return new Request(url, {
    method: req.method,
    headers,
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  });
}
