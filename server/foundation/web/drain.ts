/**
 * Stops the web process without cutting a request off. remix-serve would close its server immediately, including idle connections
 * on which a proxy may just be sending a request, and then wait for the database's idle connections to time out.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** Time within which an idle connection may still send a request. A client that reuses connections does so within this time. */
const idleMs = 1_000;
/** Time after which unanswered requests are dropped. */
const maxMs = 10_000;
const lookEveryMs = 25;

/**
 * Ends the process on SIGTERM and SIGINT, once all pending requests are answered.
 * @param delayMs time for which it still accepts connections, so that a load balancer sees that it is no longer ready
 */
export function drain({ delayMs = 0 }: { delayMs?: number } = {}) {
  const underWay = new Set<ServerResponse>();
  const connections = new Set<Socket>();
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void stop());

  async function stop(): Promise<void> {
    isStopping = true;
    for (const response of underWay) lastOfItsConnection(response);
    if (delayMs > 0) await sleep(delayMs);
    const askedAt = performance.now();
    const waited = () => performance.now() - askedAt;
    const isDone = () => underWay.size === 0 && (connections.size === 0 || waited() > idleMs);
    const isDoneForGood = async () => {
      if (!isDone()) return false;
      // First read the requests that arrived while a busy machine kept this process from running.
      await nextTurn();
      return isDone();
    };
    while (!(await isDoneForGood()) && waited() < maxMs) await sleep(lookEveryMs);
    // A process takes tens of milliseconds to end, in which requests would still arrive on open connections and get no response.
    for (const connection of connections) connection.destroy();
    process.exit(0);
  }

  return {
    watch(server: Server) {
      server.on("connection", (socket) => {
        connections.add(socket);
        socket.once("close", () => connections.delete(socket));
      });
      if (delayMs > 0) {
        const close = server.close.bind(server);
        // remix-serve closes it immediately, and would refuse a load balancer before its next check.
        server.close = (done) => {
          setTimeout(() => close(done), delayMs);
          return server;
        };
      }
      const closeIdle = server.closeIdleConnections.bind(server);
      // Node calls it when the server closes, but idle connections get a grace period here.
      server.closeIdleConnections = () => {
        if (!isStopping) closeIdle();
      };
    },
    /** @param response the response of a new request */
    begin(response: ServerResponse) {
      underWay.add(response);
      response.once("close", () => underWay.delete(response));
      if (isStopping) lastOfItsConnection(response);
    },
  };
}

function lastOfItsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}
