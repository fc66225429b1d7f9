/**
 * Outgoing connections: the only HTTP client, with a time-out, a size limit and no redirects; and the restriction of a process to
 * the destinations of its settings, which covers libraries too.
 */
import { isIP, Socket } from "node:net";
import { z } from "zod";

/** Destinations that a process may connect to. A Unix socket needs no permission: it never leaves the machine. */
export interface Destinations {
  /** `host:port` each. `*.example.com:443` means every host below example.com. */
  hosts: readonly string[];
  /** `host:port`; null for none. nodemailer resolves the name itself and connects to an address. */
  mailServer: string | null;
}

/** Thrown for a destination that is not in the settings, before anything is sent. */
export class DestinationRefused extends Error {
  readonly code = "destination_refused";
  constructor(destination: string) {
    super(`The settings do not allow connections to ${destination}`);
  }
}

/** Thrown while a response exceeds its size limit. */
export class ReplyTooLong extends Error {
  readonly code = "reply_too_long";
  constructor(mostBytes: number) {
    super(`The reply is longer than ${mostBytes} bytes`);
  }
}

/** Limits of one request. */
export interface EgressLimits {
  /** Time from sending to the last byte of the response, in milliseconds. */
  timeoutMs?: number;
  /** Bytes of the response, decompressed. */
  mostBytes?: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

const standardTimeoutMs = 30_000;
const standardMostBytes = 32 * 1024 * 1024;

let allowed: Destinations | null = null;
/** The platform's fetch; null while it is still the global one. */
let platformFetch: typeof globalThis.fetch | null = null;

/**
 * Sends one HTTP request as `fetch` does, but follows no redirect.
 * @throws DestinationRefused; ReplyTooLong, also while the body is read; and what `fetch` throws
 */
export async function egressFetch(
  input: string | URL | Request,
  init: RequestInit = {},
  { timeoutMs = standardTimeoutMs, mostBytes = standardMostBytes }: EgressLimits = {},
): Promise<Response> {
  const request = typeof input === "object" && "url" in input ? input : null;
  requireAllowed(new URL(request?.url ?? String(input)));
  const given = init.signal ?? request?.signal;
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await (platformFetch ?? globalThis.fetch)(input, {
    ...init,
    // A redirect names an unchecked address, which would receive the credentials.
    redirect: init.redirect === "error" ? "error" : "manual",
    signal: given == null ? timeout : AbortSignal.any([timeout, given]),
  });
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(atMost(mostBytes)), { status, statusText, headers });
}

/** Passes bytes on, and aborts the stream with ReplyTooLong after `mostBytes`. */
export function atMost(mostBytes: number): TransformStream<Bytes, Bytes> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) controller.error(new ReplyTooLong(mostBytes));
      else controller.enqueue(chunk);
    },
  });
}

/**
 * Restricts this process to the destinations: other connections fail before they are opened, including those of libraries, and
 * every `fetch` of a library goes through `egressFetch`. Worker threads have to restrict themselves. A process that never calls
 * this is not restricted.
 */
export function limitEgress(destinations: Destinations): void {
  allowed = destinations;
  // `npm run dev` creates its context again in the same process.
  if (platformFetch !== null) return;
  platformFetch = globalThis.fetch;
  Object.defineProperty(globalThis, "fetch", {
    configurable: true,
    enumerable: true,
    get: () => egressFetch,
    // remix-serve sets the global after it has loaded the app.
    set(given: typeof globalThis.fetch) {
      platformFetch = given;
    },
  });
  const connect = Socket.prototype.connect;
  Object.assign(Socket.prototype, {
    connect(this: Socket, ...args: unknown[]) {
      const refused = refusedTarget(args);
      if (refused === null) return Reflect.apply(connect, this, args);
      // Fails as a connection does: later, when its caller listens for errors.
      setImmediate(() => this.destroy(new DestinationRefused(refused)));
      return Object.assign(this, { connecting: true });
    },
  });
}

/** Lifts the restriction, for a test that shares its process with others. */
export function liftEgressLimit(): void {
  allowed = null;
}

function requireAllowed({ protocol, hostname, port }: URL): void {
  const standardPort = { "http:": "80", "https:": "443" }[protocol];
  // No other protocol of `fetch` leaves the process.
  if (standardPort === undefined) return;
  const destination = nameOf(hostname, port === "" ? standardPort : port);
  if (!isAllowed(destination)) throw new DestinationRefused(destination);
}

/** Options of `net.Socket.connect` that determine the destination. */
const target = z.looseObject({
  path: z.string().nullish(),
  host: z.string().nullish(),
  port: z.union([z.number(), z.string()]),
  servername: z.unknown().optional(),
});

/** Returns the destination in the arguments of `net.Socket.connect` if it is refused; null when it is allowed. */
function refusedTarget(args: readonly unknown[]): string | null {
  // `net.connect` passes its arguments as one array.
  const [first, second]: readonly unknown[] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === "string" && Number.isNaN(Number(first))) return null;
  const options = typeof first === "object" ? first : { port: first, host: stringOrNull(second) };
  if (z.object({ path: z.string().min(1) }).safeParse(options).success) return null;
  const { data } = target.safeParse(options);
  if (data === undefined) return "an unknown destination";
  const { port } = data;
  const host = data.host ?? "localhost";
  const destination = nameOf(host, port);
  if (isAllowed(destination)) return null;
  const isMail = isIP(host) !== 0 && nameOf(String(data.servername), port) === allowed?.mailServer;
  return isMail ? null : destination;
}

function stringOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function nameOf(host: string, port: string | number): string {
  return `${host.replace(/^\[|\]$/g, "").toLowerCase()}:${port}`;
}

function isAllowed(destination: string): boolean {
  if (allowed === null || destination === allowed.mailServer) return true;
  return allowed.hosts.some((host) =>
    host.startsWith("*.") ? destination.endsWith(host.slice(1)) : destination === host,
  );
}
