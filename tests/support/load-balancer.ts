/**
 * The proxy in front of the webs of a drill: takes those in turn that say they are ready, passes a refused connection on to the next, and
 * gives up on one that does not answer, as those of production do. It can keep the letters of vendors, so that a drill delivers them itself.
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
  /** In place of passing on what begins with this path, takes it in and says that it was received; null passes everything on. */
  keepLetters(under: string | null): void;
  /** Those it took in, oldest first. */
  letters: readonly VendorDelivery[];
  /** What was answered with a fault of ours, or not at all, and why: "POST /login: 502 ECONNRESET". */
  failures: readonly string[];
  /** How many requests it has passed on. */
  passed(): number;
  stop(): Promise<void>;
}

const answerWithinMs = 15_000;
/** Shorter than a web that was asked to end goes on for (SHUTDOWN_DELAY_MS). */
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
  /** One question at a time: those of a slow machine would pile up, and keep the web from all else. */
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
    // One that is ready before those that are not; each once.
    const inTurn = [...ready.map((_, index) => ready[(first + index) % ready.length] ?? 0), ...unready];
    for (let refused = 0; ; refused += 1) {
      try {
        return await pass(request, body, response, inTurn[refused] ?? 0);
      } catch (error) {
        // Only what has not been sent may be sent again.
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
      // A buyer who leaves is gone for the store too.
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
 * Null where it does not answer, which changes nothing: one that has said that it is ending is left alone until it is back, and one that
 * was killed is found out by a request.
 */
async function isReady(port: number): Promise<boolean | null> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) });
    return status !== 503;
  } catch {
    return null;
  }
}
