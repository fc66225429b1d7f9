/**
 * The proxy in front of a drill's webs: round robin over the ready ones; it retries a refused connection at the next, and gives
 * up on one that does not answer, as proxies in production do. It can hold back vendors' calls, so that a drill delivers them
 * itself.
 */
import http from "node:http";
import { buffer } from "node:stream/consumers";

/** A vendor's call to the store. */
export interface VendorDelivery {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export interface FrontProxy {
  /** Accepts requests below this path without passing them on; null passes everything on. */
  keepLetters(under: string | null): void;
  /** The held calls, oldest first. */
  letters: readonly VendorDelivery[];
  /** Requests that got a server error or no response, with the reason: "POST /login: 502 ECONNRESET". */
  failures: readonly string[];
  /** Number of requests passed on. */
  passed(): number;
  stop(): Promise<void>;
}

const answerWithinMs = 15_000;
/** Shorter than the time for which a web continues to serve after SIGTERM (SHUTDOWN_DELAY_MS). */
const askEveryMs = 100;

/** @param targets ports of this machine */
export async function startProxy(port: number, targets: readonly number[]): Promise<FrontProxy> {
  const agent = new http.Agent({ keepAlive: true });
  const letters: VendorDelivery[] = [];
  const failures: string[] = [];
  let count = 0;
  let lettersUnder: string | null = null;
  let turn = 0;
  const unready = new Set<number>();
  /** One readiness check at a time: on a slow machine they would pile up and block the web. */
  const input = new Set<number>();
  const asking = setInterval(() => {
    for (const target of targets) {
      if (input.has(target)) continue;
      input.add(target);
      void isReady(target).then((ready) => {
        input.delete(target);
        if (ready === false) unready.add(target);
        if (ready === true) unready.delete(target);
      });
    }
  }, askEveryMs);

  const server = http.createServer((request, response) => {
    let why = "";
    response.once("finish", () => {
      count += 1;
      if (response.statusCode >= 500)
        failures.push(`${request.method} ${request.url}: ${response.statusCode} ${why}`);
    });
    take(request, response).catch((error: unknown) => {
      why = error instanceof Error && "code" in error ? String(error.code) : String(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
  });

  async function take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { url: path = "/", headers } = request;
    if (lettersUnder !== null && path.startsWith(lettersUnder)) {
      letters.push({ path, headers, body });
      response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
      return;
    }
    turn += 1;
    const first = turn;
    const ready = targets.filter((target) => !unready.has(target));
    // Ready ones first, then the others; each once.
    const inTurn = [...ready.map((_, index) => ready[(first + index) % ready.length] ?? 0), ...unready];
    for (let refused = 0; ; refused += 1) {
      try {
        return await pass(request, body, response, inTurn[refused] ?? 0);
      } catch (error) {
        // Only an unsent request may be sent again.
        const isRefused = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
        if (!isRefused || refused + 1 >= inTurn.length) throw error;
      }
    }
  }

  function pass(
    { method, url, headers }: http.IncomingMessage,
    body: Buffer,
    response: http.ServerResponse,
    target: number,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const onward = http.request({ agent, host: "127.0.0.1", port: target, method, path: url, headers });
      onward.setTimeout(answerWithinMs, () => onward.destroy(new Error("It does not answer")));
      // When the buyer disconnects, close the request to the store too.
      response.once("close", () => onward.destroy());
      onward.on("error", reject);
      onward.once("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on("error", reject);
        response.once("finish", resolve);
        answer.pipe(response);
      });
      onward.end(body);
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, resolve);
  });
  return {
    letters,
    failures,
    passed: () => count,
    keepLetters(under) {
      lettersUnder = under;
    },
    stop: () =>
      new Promise((resolve) => {
        clearInterval(asking);
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Null without an answer, which changes nothing: one that reported its shutdown gets no requests until it is back, and a killed
 * one is detected by a request.
 */
async function isReady(port: number): Promise<boolean | null> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) });
    return status !== 503;
  } catch {
    return null;
  }
}
