/**
 * Loaded before remix-serve (`node --import`), which leaves no other door: gives each request an id and the client's
 * address, replaces its access log, which would print tokens, serves files, and makes it stop in good order when asked.
 */
import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import pino from "pino";
import { logDestination } from "../log-destination.mjs";
import { logOptions } from "../log-options.mjs";
import { drain } from "./drain.mjs";
import { filesFrom } from "./files.mjs";
import { clientAddress } from "./request-facts.mjs";
import { drainUnread, mendedUrl, refuseMalformed } from "./request-guard.mjs";
import { openRequestStore } from "./request-store.mjs";

const trustedProxies = Number(process.env.TRUSTED_PROXIES ?? 0);
const log = pino(logOptions(process.env.LOG_LEVEL ?? "info", "access"), logDestination);
const timeLimits = {
  // A client that sends its request slowly, or never, must not hold a connection for minutes.
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  // Node looks for those who are over their time only so often, every half a minute unless told.
  connectionsCheckingInterval: 1_000,
  // Longer than a load balancer keeps an idle connection (60 s), or it would write into one just closed.
  keepAliveTimeout: 65_000,
};

silenceMorgan();
const requests = openRequestStore();
const draining = drain();
wrapServer();
subscribe("http.server.request.start", ({ request, response }) => observe(request, response));

/** remix-serve logs with morgan's "tiny", which prints whole addresses: reset and resume tokens stand in them. */
function silenceMorgan() {
  const require = createRequire(import.meta.url);
  // The very instance that remix-serve will load, wherever the installer put it.
  const morgan = createRequire(require.resolve("@remix-run/serve/package.json"))("morgan");
  morgan.format("tiny", () => undefined);
}

/** Stands around the server that remix-serve makes, its one. */
function wrapServer() {
  const createServer = http.createServer;
  http.createServer = (...args) => {
    const server = createServer(
      { ...timeLimits, ...args.find((arg) => typeof arg === "object") },
      ...args.filter((arg) => typeof arg === "function").map(answeredFirst),
    );
    draining.watch(server);
    return server;
  };
}

/** Refusals and files, before the app is asked. @param {http.RequestListener} app @returns {http.RequestListener} */
function answeredFirst(app) {
  // Where `npm run build` puts them; `npm run dev` makes its server in another way.
  const files = filesFrom(path.resolve("build/client"));
  const refused = refuseMalformed(process.env.PUBLIC_URL?.startsWith("https:") === true);
  return (request, response) => {
    refused(request, response, () => files(request, response, () => app(request, response)));
  };
}

/** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
function observe(request, response) {
  const requestId = randomUUID();
  const startedAt = performance.now();
  const { headers, method } = request;
  const url = mendedUrl(request.url ?? "");
  request.url = url;
  requests.enterWith({
    requestId,
    clientAddress: clientAddress(request.socket.remoteAddress, headers["x-forwarded-for"], trustedProxies),
    origin: headers.origin ?? null,
  });
  delete headers.origin;
  // The store's own address is a setting; Remix would take the port of its address from what any client says.
  delete headers["x-forwarded-host"];
  response.setHeader("X-Request-Id", requestId);
  response.once("finish", () => drainUnread(request));

  draining.begin(response);
  response.once("close", () => {
    if (url.startsWith("/assets/")) return;
    const facts = {
      requestId,
      method,
      path: url,
      status: response.statusCode,
      ms: Math.round(performance.now() - startedAt),
    };
    if (!response.writableFinished) log.info({ ...facts, aborted: true }, "request");
    else log[response.statusCode >= 500 ? "warn" : "info"](facts, "request");
  });
}
