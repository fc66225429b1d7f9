/**
 * Middleware before the app: refuses requests that no route could answer, in words, with an id and the usual headers, and
 * discards what a client keeps sending after its answer.
 */
import type { IncomingMessage } from "node:http";
import type { Middleware } from "./files.ts";

/**
 * Repairs a path that cannot be decoded: its percent signs are escaped, so that the routes answer it like any other unknown
 * address.
 * @param url as the client sent it, with or without the host
 * @returns the same URL, beginning with the path
 */
export function mendedUrl(url: string): string {
  const [whole, path = ""] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i.exec(url) ?? [url, url];
  const rest = url.slice(whole.length);
  const rooted = path === "" && whole !== "" ? "/" : path;
  try {
    decodeURIComponent(rooted);
    return rooted + rest;
  } catch {
    return rooted.replaceAll("%", "%25") + rest;
  }
}

/** A host name or an address, optionally with a port. */
const host = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

const plainHeaders = {
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
};

/** @param isHttps whether browsers reach the store over https */
export function refuseMalformed(isHttps: boolean): Middleware {
  const headers = {
    ...plainHeaders,
    ...(isHttps && { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" }),
  };
  return (request, response, next) => {
    const { method = "", url = "" } = request;
    const named = request.headers.host;
    if (method === "TRACE" || method === "TRACK") {
      response.writeHead(405, { ...headers, Allow: "GET, HEAD, POST" }).end("Method not allowed\n");
    } else if (!url.startsWith("/")) {
      response.writeHead(400, headers).end("The address is not a path.\n");
    } else if (named !== undefined && !(host.test(named) && URL.canParse(`http://${named}`))) {
      response.writeHead(400, headers).end("The Host header names no host.\n");
    } else next();
  };
}

/** How long, and how much, a client may keep sending after its answer before it is cut off. */
const drainMs = 5_000;
const drainBytes = 1024 * 1024;

/**
 * Drains the body after an answer that did not need it. Left unread, it would hold the connection, and its sender, until the
 * request times out. Cut off at once, a client that reads only after sending would never see the answer.
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
    // Reads no more. A client that reads while sending still gets its answer in the remaining time.
    if (left < 0) request.pause();
  });
  request.resume();
}
