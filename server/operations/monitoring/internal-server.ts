/**
 * The internal port of a process: /metrics for Prometheus, /livez and /readyz for a supervisor. It listens on localhost only,
 * unless METRICS_HOST says otherwise, and must not be reachable from outside.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { collectDefaultMetrics, Registry } from "prom-client";
import { createDb, createPool } from "#db/client.ts";
import * as paths from "#server/foundation/paths.ts";
import { poolConnections, processRegistry } from "#server/integrations/metrics/process-metrics.ts";
import { storeRegistry } from "#server/integrations/metrics/store-metrics.ts";
import type { Context } from "#server/platform/context.ts";
import type { Readiness } from "./readiness.ts";
import { createStoreReader } from "./store-reader.ts";

/** Shorter than Prometheus's timeout, so that it gets the other series when the database does not respond. */
const databaseMs = 5_000;

export interface InternalServer {
  close(): Promise<void>;
}

/**
 * @param port null starts no server, and collects only the process's own metrics
 * @throws Error naming the setting when the port is not available
 */
export async function startInternalServer(
  context: Context,
  readiness: Readiness,
  port: { setting: string; number: number | null },
): Promise<InternalServer> {
  if (port.number === null) return { close: () => Promise.resolve() };
  collectDefaultMetrics({ register: processRegistry });
  const pool = createPool(
    context.env.DATABASE_URL,
    1,
    (error) => context.log.warn({ reason: error.message }, "a database connection was lost"),
    { statementMs: databaseMs, acquireMs: databaseMs },
    context.env.DATABASE_POOLER,
  );
  const db = createDb(pool);
  const readStore = createStoreReader(db, context);

  async function metrics(): Promise<string> {
    const isRead = await readStore();
    const { totalCount, idleCount, waitingCount } = context.pool;
    poolConnections.set({ state: "used" }, totalCount - idleCount);
    poolConnections.set({ state: "idle" }, idleCount);
    poolConnections.set({ state: "waiting" }, waitingCount);
    return Registry.merge(isRead ? [processRegistry, storeRegistry] : [processRegistry]).metrics();
  }

  const server = createServer((request, response) => {
    answer(request, response, { metrics, readiness }).catch((error: unknown) => {
      context.log.error({ err: error }, "the internal port could not answer");
      send(response, 500, "error\n");
    });
  });
  await listening(server, { port: port.number, host: context.env.METRICS_HOST }, port.setting);
  // The server does not keep the process alive.
  server.unref();
  return {
    async close() {
      server.close();
      server.closeAllConnections();
      await db.destroy();
    },
  };
}

async function answer(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  { metrics, readiness }: { metrics: () => Promise<string>; readiness: Readiness },
): Promise<void> {
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    send(response, 405, "method not allowed\n");
    return;
  }
  switch (url.split("?")[0]) {
    case "/metrics":
      send(response, 200, await metrics(), processRegistry.contentType);
      return;
    case paths.live():
      send(response, 200, "ok\n");
      return;
    case paths.ready(): {
      const why = await readiness.check();
      send(response, why === null ? 200 : 503, `${why ?? "ok"}\n`);
      return;
    }
    default:
      send(response, 404, "not found\n");
  }
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  type = "text/plain; charset=utf-8",
): void {
  if (response.headersSent) return;
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text);
}

function listening(server: Server, at: { port: number; host: string }, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      reject(new Error(`${setting}: cannot listen on ${at.host}:${at.port}: ${cause.message}`, { cause }));
    });
    server.listen(at, resolve);
  });
}
