/** Renders documents: whole, with the security headers and this response's script nonce. */
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type {
  AppLoadContext,
  EntryContext,
  HandleDataRequestFunction,
  HandleErrorFunction,
} from "@remix-run/node";
import { RemixServer } from "@remix-run/react";
import { renderToPipeableStream } from "react-dom/server";
import { webContext } from "./http/context.ts";
import { callAnswerIn } from "./http/page-or-call.ts";
import { applySecurityHeaders } from "./http/security-headers.ts";
import { NonceContext } from "./ui/nonce.ts";

// Opened as the server starts: with a setting missing it must not begin to serve.
webContext();

const renderTimeoutMs = 10_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const call = callAnswerIn(loadContext);
  if (call !== null) return Promise.resolve(call);
  const { env, log } = webContext();
  const nonce = crypto.randomUUID();
  return new Promise((resolve, reject) => {
    let responseStatus = status;
    let shellSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <RemixServer context={remixContext} url={request.url} nonce={nonce} />
      </NonceContext.Provider>,
      {
        nonce,
        // Whole documents: there is nothing deferred, and a page that arrives complete works without scripts. In one piece,
        // since the server flushes its compression after each: React's own are 2 KB, and double what goes over the wire.
        onAllReady() {
          shellSent = true;
          const body = new PassThrough();
          headers.set("Content-Type", "text/html; charset=utf-8");
          if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
          applySecurityHeaders(headers, env, nonce);
          passOn(["Retry-After", "Allow", "Refresh"], remixContext, headers);
          resolve(buffer(body).then((html) => new Response(html, { headers, status: responseStatus })));
          pipe(body);
        },
        onShellError: reject,
        onError(error) {
          responseStatus = 500;
          if (shellSent) log.error({ err: error }, "rendering failed");
        },
      },
    );
    setTimeout(abort, renderTimeoutMs).unref();
  });
}

/** Remix drops the headers of a route that has no `headers` export, cookies aside; these a refusal is not whole without. */
function passOn(names: readonly string[], { staticHandlerContext }: EntryContext, headers: Headers): void {
  const { actionHeaders, loaderHeaders } = staticHandlerContext;
  for (const from of [...Object.values(actionHeaders), ...Object.values(loaderHeaders)]) {
    for (const name of names) {
      const value = from.get(name);
      if (value !== null) headers.set(name, value);
    }
  }
}

export const handleDataRequest: HandleDataRequestFunction = (response) => {
  applySecurityHeaders(response.headers, webContext().env, null);
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
};

/** What no route builder caught: Remix's own refusals (unknown route, wrong method) are ordinary; the rest is a fault. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  const { log } = webContext();
  const path = new URL(request.url).pathname;
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : 500;
  if (typeof status === "number" && status < 500) log.info({ path, status }, "request refused");
  else log.error({ err: error, requestId: request.headers.get("x-request-id") }, "unhandled error");
};
