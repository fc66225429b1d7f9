/**
 * Stops the web process without cutting a request. remix-serve would close its server at once, and with it every idle connection, on
 * which a proxy may have a request on its way; and it would then wait for the database's idle connections to time out.
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** How long an idle connection may still bring a request; whoever reuses connections does so within this, or not soon. */
const idleMs = 1_000;
/** What has not been answered by then is given up. */
const longestMs = 10_000;
const lookEveryMs = 25;

/** Ends the process on SIGTERM and SIGINT, when all that was asked has been answered. */
export function drain() {
  const underWay = new Set<ServerResponse>();
  const connections = new Set<Socket>();
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => void stop());

  async function stop(): Promise<void> {
    isStopping = true;
    for (const response of underWay) lastOfItsConnection(response);
    const askedAt = performance.now();
    const waited = () => performance.now() - askedAt;
    const isDone = () => underWay.size === 0 && (connections.size === 0 || waited() > idleMs);
    const isDoneForGood = async () => {
      if (!isDone()) return false;
      // What has come while a busy machine kept this process from running is read first.
      await nextTurn();
      return isDone();
    };
    while (!(await isDoneForGood()) && waited() < longestMs) await sleep(lookEveryMs);
    process.exit(0);
  }

  return {
    watch(server: Server) {
      server.on("connection", (socket) => {
        connections.add(socket);
        socket.once("close", () => connections.delete(socket));
      });
      const closeIdle = server.closeIdleConnections.bind(server);
      // Node calls it as the server closes: those are given their moment.
      server.closeIdleConnections = () => {
        if (!isStopping) closeIdle();
      };
    },
    /** @param response of a request that has just come */
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
