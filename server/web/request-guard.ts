/**
 * What stands before the app: requests that no route could answer are refused here in words, with an id and the headers that
 * every answer has, and what a client goes on sending after its answer is thrown away.
 */
import type { IncomingMessage } from "node:http";
import type { Middleware } from "./files.ts";

/**
 * A path that no decoder takes is meant as it is written: its percent signs then stand for themselves, and the routes answer it
 * as any other address there is nothing at.
 * @param url as the client sent it, with or without the host
 * @returns the same, beginning with the path
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

/** A name or an address, and a port. */
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

/** A client that is still sending when it has its answer may go on for so long, and send so much, before it is cut off. */
const drainMs = 5_000;
const drainBytes = 1024 * 1024;

/**
 * For an answer that did not need the body. Left unread, it would hold the connection, and its sender, until the request's time
 * is over; cut off at once, a sender who reads only afterwards would never hear why.
 * @param request whose response is finished
 */
export function drainUnread(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let left = drainBytes;
  const { socket } = request;
  const late = setTimeout(() => socket.destroy(), drainMs).unref();
  socket.once("close", () => clearTimeout(late));
  request.once("end", () => clearTimeout(late));
  // Of whoever asked for the body and then did not read it.
  request.removeAllListeners("data");
  request.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    // Nothing more is taken in; who reads while sending hears its answer in the time that is left.
    if (left < 0) request.pause();
  });
  request.resume();
}
