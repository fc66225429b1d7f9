/**
 * Loaded before remix-serve (`node --import`), which takes no middleware. Gives each request an id and the client's address,
 * replaces the access log, which would print tokens, serves static files, and shuts the process down gracefully.
 */
import { randomUUID } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import type { Duplex } from "node:stream";
import pino from "pino";
import { logDestination } from "../log-destination.ts";
import { logOptions } from "../log-options.ts";
import { shortNetwork } from "../security/network.ts";
import { drain } from "./drain.ts";
import { filesFrom, type Middleware } from "./files.ts";
import { resolveClientAddress } from "./request-facts.ts";
import {
  answerErrors,
  completeLeaving,
  drainUnread,
  headersOfRefusals,
  refuseMalformed,
  refuseUnreadable,
  repairUrl,
} from "./request-guard.ts";
import { openRequestStore, type RequestMetadata } from "./request-store.ts";
import { publishFinishedRequest } from "./request-watch.ts";

const trustedProxies = Number(process.env.TRUSTED_PROXIES ?? 0);
/** Clients of this port are not clients of the store (server/operations/monitoring/internal-server.ts). */
const internalPort = Number(process.env.METRICS_PORT ?? 0);
const log = pino(logOptions(process.env.LOG_LEVEL ?? "info", "access"), logDestination);
const timeLimits = {
  // A client that sends its request slowly, or never, must not hold a connection for minutes.
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  // Interval of Node's check for timed-out connections, by default half a minute.
  connectionsCheckingInterval: 1_000,
  // Longer than a load balancer keeps an idle connection (60 s), which could otherwise send a request on a connection that
  // was just closed.
  keepAliveTimeout: 65_000,
  // Our own guard refuses a request without a Host header, with the usual headers.
  requireHostHeader: false,
};
const ofRefusals = headersOfRefusals(process.env.PUBLIC_URL?.startsWith("https:") === true);

/** Loads the same instances as remix-serve, wherever the installer put them. */
const requireOfRemixServe = createRequire(
  createRequire(import.meta.url).resolve("@remix-run/serve/package.json"),
);
const passOn: Middleware = (_request, _response, next) => next();

silenceMorgan();
leaveFilesToUs();
const requests = openRequestStore();
const draining = drain({ delayMs: Number(process.env.SHUTDOWN_DELAY_MS ?? 0) });
/** Responses of the app, not of the middleware before it. */
const ofApp = new WeakSet<http.ServerResponse>();
/** Last response of each connection. */
const lastOn = new WeakMap<Duplex, http.ServerResponse>();
wrapServer();
subscribe("http.server.request.start", (started) => {
  if (isExchange(started) && !isInternal(started.request)) observe(started.request, started.response);
});

/** Whether it is the message that Node publishes on that channel. */
function isExchange(
  message: unknown,
): message is { request: http.IncomingMessage; response: http.ServerResponse } {
  if (typeof message !== "object" || message === null) return false;
  if (!("request" in message && "response" in message)) return false;
  return message.request instanceof http.IncomingMessage && message.response instanceof http.ServerResponse;
}

function isInternal({ socket }: http.IncomingMessage): boolean {
  return internalPort !== 0 && socket.localPort === internalPort;
}

/** Silences morgan, with which remix-serve logs full addresses, including reset and resume tokens. */
function silenceMorgan(): void {
  requireOfRemixServe("morgan");
  const loaded = requireOfRemixServe.cache[requireOfRemixServe.resolve("morgan")];
  if (loaded === undefined) throw new Error("The access log of remix-serve could not be replaced");
  loaded.exports = () => passOn;
}

/** Disables remix-serve's static handler, which looks for a file twice for each page although ours have been served before. */
function leaveFilesToUs(): void {
  Object.assign(requireOfRemixServe("express"), { static: () => passOn });
}

/** Wraps the only server that remix-serve creates, to set our time-outs and to run our middleware before its app. */
function wrapServer(): void {
  const createServer = http.createServer;
  Object.assign(http, {
    createServer(...args: (http.ServerOptions | http.RequestListener)[]): http.Server {
      const options = args.find((arg) => typeof arg === "object");
      const app = args.find((arg) => typeof arg === "function");
      const server = createServer(
        { ...timeLimits, ...options },
        app === undefined ? undefined : answeredFirst(app),
      );
      draining.watch(server);
      server.on("checkExpectation", (_request, response: http.ServerResponse) => {
        response.writeHead(417, ofRefusals).end("The expectation cannot be met.\n");
      });
      server.on("clientError", (error, socket) => {
        const begun = lastOn.get(socket);
        // Nothing must be written into the middle of a response.
        if (begun?.headersSent === true && !begun.writableFinished) socket.destroy(error);
        else refuseUnreadable(error, socket, ofRefusals);
      });
      return server;
    },
  });
}

/** Wraps the app with the middleware before it: refusals and static files. */
function answeredFirst(app: http.RequestListener): http.RequestListener {
  // The output folder of `npm run build`. `npm run dev` creates its server in another way.
  const files = filesFrom(path.resolve("build/client"));
  const refused = refuseMalformed(ofRefusals);
  const listener: http.RequestListener = (request, response) => {
    refused(request, response, () =>
      files(request, response, () => {
        ofApp.add(response);
        completeLeaving(response, ofRefusals);
        app(request, response);
      }),
    );
  };
  return answerErrors(listener, ofRefusals, (err) => log.error({ err }, "a request could not be answered"));
}

function observe(request: http.IncomingMessage, response: http.ServerResponse): void {
  const requestId = randomUUID();
  const startedAt = performance.now();
  const { headers, method } = request;
  const url = repairUrl(request.url ?? "", headers.host);
  request.url = url;
  const known: RequestMetadata = {
    requestId,
    clientAddress: resolveClientAddress(
      request.socket.remoteAddress,
      headers["x-forwarded-for"],
      trustedProxies,
    ),
    origin: headers.origin ?? null,
    isForData: /^[^?]*\.data(\?|$)/.test(url),
  };
  requests.enterWith(known);
  delete headers.origin;
  // The store's own address is a setting. Remix would take its port from this header, which any client can send.
  delete headers["x-forwarded-host"];
  response.setHeader("X-Request-Id", requestId);
  response.once("finish", () => drainUnread(request));

  draining.begin(response);
  lastOn.set(request.socket, response);
  response.once("close", () => {
    if (url.startsWith("/assets/")) return;
    const facts = {
      requestId,
      method,
      path: url,
      status: response.statusCode,
      ms: Math.round(performance.now() - startedAt),
      network: shortNetwork(known.clientAddress),
      userId: known.userId,
      staffId: known.staffId,
    };
    publishFinishedRequest({
      method: method ?? "",
      path: ofApp.has(response) ? (url.split("?")[0] ?? "") : null,
      status: response.writableFinished ? response.statusCode : null,
      seconds: (performance.now() - startedAt) / 1000,
    });
    if (!response.writableFinished) log.info({ ...facts, aborted: true }, "request");
    else log[response.statusCode >= 500 ? "warn" : "info"](facts, "request");
  });
}
