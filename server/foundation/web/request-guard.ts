/**
 * Middleware before the app: refuses requests that no route could answer, as text, with an id and the usual headers, completes
 * the headers of every response, and discards data that a client keeps sending after its response.
 */
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Middleware } from "./files.ts";

/** More than any route has: the longest has seven (app/routes.ts). */
const mostSegments = 12;
/** Matches a path up to that depth. Browsers and Remix read a backslash as a slash. */
const deepest = new RegExp(`^(?:[\\\\/][^\\\\/]*){1,${mostSegments}}`);

/**
 * Repairs a path that the router cannot read: escapes its percent signs if it cannot be decoded, and also encoded backslashes,
 * which the router would decode and take for slashes. If it is deeper than any route, its end is replaced: the router took half a
 * second for thousands of slashes. The routes then answer it like any other unknown address.
 * @param url as the client sent it, with or without the host
 * @param host the Host header
 * @returns the same URL, beginning with the path; unchanged if it names another host, which `refuseMalformed` refuses
 */
export function repairUrl(url: string, host?: string): string {
  const [whole, authority, path = ""] = /^(?:https?:\/\/([^/?#]*))?([^?#]*)/i.exec(url) ?? [
    url,
    undefined,
    url,
  ];
  if (authority !== undefined && authority.toLowerCase() !== host?.toLowerCase()) return url;
  const rest = url.slice(whole.length);
  const [beginning = path] = deepest.exec(path) ?? [];
  // The router ignores trailing slashes: a cut path could be a page.
  const shallow = beginning === path ? path : `${beginning}/-`;
  const rooted = path === "" && whole !== "" ? "/" : shallow;
  try {
    decodeURIComponent(rooted);
    return rooted.replaceAll(/%(?=5c)/gi, "%25") + rest;
  } catch {
    return rooted.replaceAll("%", "%25") + rest;
  }
}

/** A host name or an address, optionally with a port. */
const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** A page requests the routes of its forms and of the address it leads to. */
const mostAddresses = 8;

/**
 * Whether a request for the routes of other addresses (Remix's lazy route discovery) names more or deeper ones than our pages
 * request. Remix searches all routes for each segment of each address: one request could keep the process busy for a second.
 */
function asksForTooManyRoutes(url: string): boolean {
  if (!url.includes("__manifest")) return false;
  // Resolves dots and backslashes as Remix does.
  const { pathname, searchParams } = new URL(`http://store${url}`);
  if (pathname !== "/__manifest") return false;
  const addresses = searchParams.getAll("p");
  return addresses.length > mostAddresses || addresses.some((each) => each.split("/").length > mostSegments);
}

const plainHeaders = {
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
};

/** Returns the headers of a response that no route creates. @param isHttps whether browsers reach the store over https */
export function headersOfRefusals(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    ...plainHeaders,
    ...(isHttps && { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" }),
  };
}

/**
 * Headers by which a request is routed, delimited or trusted. If there were several, a proxy and we might trust different ones.
 */
const onceOnly: ReadonlySet<string> = new Set([
  "authorization",
  "content-length",
  "content-type",
  "host",
  "origin",
  "sec-fetch-site",
]);

function hasDoubled({ rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [name.toLowerCase()] : []));
  const single = names.filter((name) => onceOnly.has(name));
  return new Set(single).size < single.length;
}

/** @param headers of its refusals */
export function refuseMalformed(headers: Readonly<Record<string, string>>): Middleware {
  return (request, response, next) => {
    const { method = "", url = "", httpVersion } = request;
    const named = request.headers.host ?? (httpVersion === "1.0" ? undefined : "");
    if (method === "TRACE" || method === "TRACK") {
      response.writeHead(405, { ...headers, Allow: "GET, HEAD, POST" }).end("Method not allowed\n");
    } else if (!url.startsWith("/")) {
      response.writeHead(400, headers).end("The request URL isn't a valid path of this host.\n");
    } else if (hasDoubled(request)) {
      response.writeHead(400, headers).end("A header is sent twice.\n");
    } else if (named !== undefined && !(host.test(named) && URL.canParse(`http://${named}`))) {
      response.writeHead(400, headers).end("The Host header is missing or invalid.\n");
    } else if (asksForTooManyRoutes(url)) {
      response.writeHead(400, headers).end("Too many addresses, or too long ones.\n");
    } else next();
  };
}

/**
 * Wraps a listener so that an error it throws is answered with 500 and reported. Node would end the process, and every other
 * request in it, for one request that a library cannot read.
 * @param headers of a response that no route creates
 */
export function answerErrors(
  listener: RequestListener,
  headers: Readonly<Record<string, string>>,
  report: (error: unknown) => void,
): RequestListener {
  return (request, response) => {
    try {
      listener(request, response);
    } catch (error) {
      report(error);
      // Nothing must be written into the middle of a response.
      if (response.headersSent) response.destroy();
      else response.writeHead(500, headers).end("Something went wrong.\n");
    }
  };
}

/** Longest Location, in characters. Proxies answer 502 when a response's headers exceed their buffer, often 4 kB. */
const longestLocation = 2_048;

/**
 * Completes a response as it is sent: adds missing headers if no code of ours created it, and shortens a Location that would be
 * too long by its query, or to the home page.
 * @param headers of a response that no route creates
 */
export function completeLeaving(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  const writeHead = response.writeHead;
  Object.assign(response, {
    writeHead(...args: unknown[]): unknown {
      if (!response.hasHeader("Content-Security-Policy"))
        for (const [name, value] of Object.entries(headers))
          if (!response.hasHeader(name)) response.setHeader(name, value);
      const location = String(response.getHeader("Location") ?? "");
      if (location.length > longestLocation) response.setHeader("Location", shortened(location));
      return Reflect.apply(writeHead, response, args);
    },
  });
}

function shortened(location: string): string {
  const [path = ""] = location.split(/[?#]/, 1);
  return path.length > longestLocation ? "/" : path;
}

const statusOfError: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers data that is not HTTP, because Node would do so without headers. */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
): void {
  if (socket.writable) {
    const status = statusOfError[error.code ?? ""] ?? 400;
    const text = `${STATUS_CODES[status]}\n`;
    const lines = Object.entries({ ...headers, "Content-Length": text.length, Connection: "close" });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${text}`);
  }
  socket.destroy(error);
}

/** Time and bytes for which a client may keep sending after its response before it is cut off. */
const drainMs = 5_000;
const drainBytes = 1024 * 1024;

/**
 * Drains the body after a response that did not need it. Left unread, it would hold the connection, and its sender, until the
 * request times out. If it were cut off immediately, a client that reads only after sending would never see the response.
 * @param request whose response is finished
 */
export function drainUnread(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = drainBytes;
  const { socket } = request;
  const late = setTimeout(() => socket.destroy(), drainMs).unref();
  socket.once("close", () => clearTimeout(late));
  request.once("end", () => clearTimeout(late));
  // Removes the listeners of a handler that began to read the body and stopped.
  request.removeAllListeners("data");
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    // Stops reading. A client that reads while sending still gets its response in the remaining time.
    if (left < 0) request.pause();
  });
  request.resume();
}
