/**
 * Loaded before remix-serve (`node --import`), which leaves no other door: gives each request an id and the client's
 * address, replaces its access log, which would print tokens, answers what needs no Remix, and makes it stop when asked.
 */
import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import pino from "pino";
import { filesFrom } from "./files.mjs";
import { keepDocuments } from "./kept-documents.mjs";
import { clientAddress, loggablePath } from "./request-facts.mjs";

const trustedProxies = Number(process.env.TRUSTED_PROXIES ?? 0);
const log = pino({
  level: process.env.LOG_LEVEL ?? "info",
  base: { name: "access" },
  timestamp: pino.stdTimeFunctions.isoTime,
});

silenceMorgan();
wrapServer();
let underWay = 0;
subscribe("http.server.request.start", ({ request, response }) => observe(request, response));
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, stopSoon);

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
    const server = createServer(...args.map((arg) => (typeof arg === "function" ? answeredFirst(arg) : arg)));
    // A client that sends its request slowly, or never, must not hold a connection for minutes.
    server.headersTimeout = 15_000;
    server.requestTimeout = 30_000;
    // Longer than a load balancer keeps an idle connection (60 s), or it would write into one just closed.
    server.keepAliveTimeout = 65_000;
    return server;
  };
}

/** Files and kept documents, before the app is asked. @param {http.RequestListener} app @returns {http.RequestListener} */
function answeredFirst(app) {
  // Where `npm run build` puts them; `npm run dev` makes its server in another way.
  const files = filesFrom(path.resolve("build/client"));
  const keptDocuments = keepDocuments();
  return (request, response) => {
    files(request, response, () => keptDocuments(request, response, () => app(request, response)));
  };
}

/** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
function observe(request, response) {
  const requestId = randomUUID();
  const startedAt = performance.now();
  const { headers, method, url = "" } = request;
  // Set, not added: what the client sent under these names is not believed.
  headers["x-request-id"] = requestId;
  headers["x-client-address"] = clientAddress(
    request.socket.remoteAddress,
    headers["x-forwarded-for"],
    trustedProxies,
  );
  // Judged by app/http/same-origin.ts; left in its place, Remix answers a foreign one with an empty 500.
  headers["x-origin"] = headers.origin;
  if (headers.origin === undefined) delete headers["x-origin"];
  delete headers.origin;
  response.setHeader("X-Request-Id", requestId);

  underWay += 1;
  response.once("close", () => {
    underWay -= 1;
    if (url.startsWith("/assets/")) return;
    const facts = {
      requestId,
      method,
      path: loggablePath(url),
      status: response.statusCode,
      ms: Math.round(performance.now() - startedAt),
    };
    if (!response.writableFinished) log.info({ ...facts, aborted: true }, "request");
    else log[response.statusCode >= 500 ? "warn" : "info"](facts, "request");
  });
}

/**
 * remix-serve closes its server and then waits for every kept-alive connection and idle database connection to time out.
 * The process ends when the requests under way are answered, or after ten seconds.
 */
function stopSoon() {
  const askedAt = performance.now();
  setInterval(() => {
    if (underWay === 0 || performance.now() - askedAt > 10_000) process.exit(0);
  }, 50);
}
