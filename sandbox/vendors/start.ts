/**
 * Serves the sandbox: every vendor's handlers over HTTP, each under its own base path, and SMTP. The middleware that runs MSW
 * matches only by path; body parsing, the journal and the transport faults are Express's, in front of it. The OpenID provider is
 * a separate server.
 */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createMiddleware } from "@mswjs/http-middleware";
import express, { type NextFunction, type Request, type Response } from "express";
import { type HttpHandler, HttpResponse, http } from "msw";
import { z } from "zod";
import type { IdentityProviderId } from "#db/tables/enums.ts";
import { advanceVendorTerms } from "./advance-terms.ts";
import { brioHandlers } from "./brio.ts";
import { controlHandlers, payOrder, snapshot } from "./control-api.ts";
import { startDns } from "./dns.ts";
import { createEntraProvider, entraPath, graphPath, type SimulatedEntra } from "./entra/provider.ts";
import { type Fault, faultMiddleware } from "./faults.ts";
import { googleHandlers } from "./google/handlers.ts";
import { createGoogleSignIn, googleLoginPath } from "./google-sign-in/provider.ts";
import { gspHandlers } from "./gsp.ts";
import { gstHandlers } from "./gst.ts";
import { anyOrigin } from "./http-helpers.ts";
import { inboxHandlers, startSmtp } from "./mail.ts";
import type { OpenIdClient } from "./openid/openid.ts";
import type { SandboxOptions } from "./options.ts";
import { createOutlookProvider, outlookPath } from "./outlook/provider.ts";
import { approve } from "./partner-center/approval.ts";
import { partnerCenterHandlers } from "./partner-center/handlers.ts";
import { razorpayHandlers } from "./razorpay/handlers.ts";
import type { PaymentAttempt } from "./razorpay/ledger.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import { vendorWebhookHandlers } from "./vendor-webhooks.ts";

export interface StartOptions extends SandboxOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly smtpPort: number;
  readonly host: string;
  /** The store as it is registered at each identity provider. */
  readonly identityProviders: Readonly<Record<IdentityProviderId, OpenIdClient>>;
}

export interface RunningSandbox {
  readonly url: string;
  readonly smtpUrl: string;
  readonly port: number;
  readonly smtpPort: number;
  /** The state and faults themselves, for tests in the same process. */
  readonly sandbox: Sandbox;
  snapshot(): ReturnType<typeof snapshot>;
  setFaults(faults: readonly Fault[]): void;
  pay(
    orderId: string,
    attempt: PaymentAttempt,
  ): Promise<{ paymentId: string; signature: string } | undefined>;
  approve(domain: string): Promise<string | undefined>;
  reset(): Promise<void>;
  stop(): Promise<void>;
}

const maxBody = "1mb";
const turnEveryMs = 1000;

/** The providers without the control API: for `setupServer` in a test. */
export function providerHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    ...razorpayHandlers(sandbox),
    ...partnerCenterHandlers(sandbox),
    ...googleHandlers(sandbox),
    ...gstHandlers(),
    ...gspHandlers(sandbox),
    ...brioHandlers(),
    ...vendorWebhookHandlers(sandbox),
  ];
}

export async function startSandbox(options: StartOptions): Promise<RunningSandbox> {
  const sandbox = await openSandbox(options);
  // As long as the store's own: after Node's default of five seconds a client could send a request on a connection that was just
  // closed.
  const server = createServer({ keepAliveTimeout: 65_000 });
  await listen(server, options.port, options.host);
  const port = portOf(server.address());
  // An OpenID provider needs to know its own address.
  const origin = `http://${options.host}:${port}`;
  sandbox.notices.origin = origin;
  const signIns = playIdentityProviders(sandbox, options.identityProviders, origin);
  const entra = createEntraProvider(sandbox, options.identityProviders.outlook, origin);
  server.on("request", application(sandbox, signIns, entra));
  const smtp = await startSmtp(sandbox, options.smtpPort, options.host).catch(async (error: unknown) => {
    await close(server);
    throw error;
  });
  const smtpPort = portOf(smtp.server.address());
  const turning = setInterval(() => {
    if (!advanceVendorTerms(sandbox)) return;
    sandbox
      .save()
      .catch((error: unknown) => options.log("the state was not saved", { error: String(error) }));
  }, turnEveryMs);
  // UDP has separate ports, so the name server can use the same number.
  const dns = await startDns(sandbox.dns, port, options.host);
  return {
    url: `http://${options.host}:${port}`,
    smtpUrl: `smtp://${options.host}:${smtpPort}`,
    port,
    smtpPort,
    sandbox,
    snapshot: () => snapshot(sandbox),
    setFaults: (faults) => sandbox.faults.replace(faults),
    async pay(orderId, attempt) {
      const paid = payOrder(sandbox, orderId, attempt);
      await sandbox.save();
      return paid;
    },
    async approve(domain) {
      const approved = approve(sandbox, domain);
      await sandbox.save();
      return approved;
    },
    reset: () => sandbox.reset(),
    async stop() {
      clearInterval(turning);
      sandbox.webhooks.stop();
      sandbox.notices.stop();
      dns.close();
      await Promise.all([close(server), new Promise<void>((resolve) => smtp.close(resolve))]);
      await sandbox.save();
    },
  };
}

interface SignIn {
  path: string;
  router: express.RequestHandler;
}

/** Every identity provider that the store may offer. */
function playIdentityProviders(
  sandbox: Sandbox,
  clients: StartOptions["identityProviders"],
  origin: string,
): SignIn[] {
  const played: Readonly<Record<IdentityProviderId, SignIn>> = {
    outlook: {
      path: outlookPath,
      router: onFirstRequest(() => createOutlookProvider(sandbox, clients.outlook, origin)),
    },
    google: {
      path: googleLoginPath,
      router: onFirstRequest(() => createGoogleSignIn(sandbox, clients.google, origin)),
    },
  };
  return Object.values(played);
}

/** Creates the router at the first request: generating its key takes time, and most started stores see no sign-in. */
function onFirstRequest(make: () => Promise<express.Router>): express.RequestHandler {
  let made: Promise<express.Router> | undefined;
  return (req, res, next) => {
    made ??= make();
    made.then((router) => router(req, res, next)).catch(next);
  };
}

function application(sandbox: Sandbox, signIns: readonly SignIn[], entra: SimulatedEntra): express.Express {
  const providers = providerHandlers(sandbox);
  const own = [
    http.get(anyOrigin("/health"), () => HttpResponse.json({ status: "ok" })),
    ...controlHandlers(sandbox),
    ...inboxHandlers(sandbox),
  ];
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Before the body parsers: it reads its bodies itself.
  const watched = [unlessOwn(journal(sandbox)), unlessOwn(faultMiddleware(sandbox.faults, []))];
  for (const { path, router } of signIns) app.use(path, ...watched, router);
  app.use(entraPath, ...watched, entra.signIn);
  app.use(graphPath, ...watched, entra.graph);
  // Once the stream has been read, the MSW middleware treats a parsed body as JSON and raw bytes as anything else.
  const isJson = (req: IncomingMessage) => req.headers["content-type"]?.includes("json") === true;
  app.use(express.json({ limit: maxBody, strict: false, type: isJson }));
  app.use(express.raw({ limit: maxBody, type: () => true }));
  app.use(unlessOwn(journal(sandbox)));
  app.use(unlessOwn(faultMiddleware(sandbox.faults, providers)));
  app.use(byFirstSegment([...own, ...providers]));
  app.use((req, res) => {
    res.status(404).json({ error: `The sandbox has no ${req.method} ${req.path}` });
  });
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    sandbox.options.log("sandbox request failed", { error: String(error) });
    // A body parser's refusal has a status; anything else is a fault of this process.
    const given = error instanceof Error && "status" in error ? error.status : undefined;
    res
      .status(typeof given === "number" ? given : 500)
      .json({ error: "The sandbox could not handle the request" });
  });
  return app;
}

/**
 * Tries only the handlers of a request's method and first segment: MSW compiles the path of each handler that it tries, at every
 * request.
 */
function byFirstSegment(handlers: readonly HttpHandler[]): express.RequestHandler {
  const firstSegmentOf = (path: string) => path.split("/")[1] ?? "";
  const takes = ({ info: { method, path } }: HttpHandler, segment: string, verb: string) =>
    (method instanceof RegExp || method === verb) &&
    (typeof path !== "string" || firstSegmentOf(path) === segment);
  const known = new Set(
    handlers.map(({ info: { path } }) => (typeof path === "string" ? firstSegmentOf(path) : "")),
  );
  const made = new Map<string, express.RequestHandler>();
  return (req, res, next) => {
    const segment = firstSegmentOf(req.path);
    const key = `${req.method} ${known.has(segment) ? segment : ""}`;
    const found =
      made.get(key) ?? createMiddleware(...handlers.filter((each) => takes(each, segment, req.method)));
    made.set(key, found);
    return found(req, res, next);
  };
}

type Middleware = (req: Request, res: Response, next: NextFunction) => void | Promise<void>;

/** The sandbox's own pages are never in the journal and never faulty: a test must be able to remove a fault. */
function unlessOwn(middleware: Middleware): Middleware {
  return async (req, res, next) => {
    if (/^\/(health|control|inbox)(\/|\.|$)/.test(req.path)) return next();
    try {
      await middleware(req, res, next);
    } catch (error) {
      next(error);
    }
  };
}

function journal(sandbox: Sandbox): Middleware {
  return (req, res, next) => {
    const body: unknown = req.body;
    const entry = {
      at: new Date(sandbox.now()).toISOString(),
      method: req.method,
      path: req.originalUrl,
      requestId: req.get("ms-requestid") ?? requestIdIn(body),
      // Only JSON: a form may contain a client secret, and an image is not useful.
      body: req.method === "GET" || req.method === "HEAD" || Buffer.isBuffer(body) ? undefined : body,
      status: undefined,
    };
    sandbox.record(entry);
    res.on("finish", () => Object.assign(entry, { status: res.statusCode }));
    next();
  };
}

/** Google's request ids are in the body. */
function requestIdIn(body: unknown): string | undefined {
  return z.object({ requestId: z.string() }).safeParse(body).data?.requestId;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Cuts open connections: a caller left unanswered on purpose would otherwise keep the process alive. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === "string") throw new Error("The sandbox listens on no port.");
  return address.port;
}
