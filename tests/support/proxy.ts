/**
 * The proxy in front of the webs of a drill: takes them in turn, passes a refused connection on to the next, and gives up on one
 * that does not answer, as those of production do. It can keep the letters of vendors, so that a drill delivers them itself.
 */
import http from "node:http";
import { buffer } from "node:stream/consumers";

/** A vendor's call to the store. */
export interface Letter {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export interface FrontProxy {
  /** In place of passing on what begins with this path, takes it in and says that it was received; null passes everything on. */
  keepLetters(under: string | null): void;
  /** Those it took in, oldest first. */
  letters: readonly Letter[];
  /** What was answered with a fault of ours, or not at all: "POST /login: 502". */
  failures: readonly string[];
  /** How many requests it has passed on. */
  passed(): number;
  stop(): Promise<void>;
}

const answerWithinMs = 15_000;

/** @param targets ports of this machine */
export async function startProxy(port: number, targets: readonly number[]): Promise<FrontProxy> {
  const agent = new http.Agent({ keepAlive: true });
  const letters: Letter[] = [];
  const failures: string[] = [];
  let count = 0;
  let lettersUnder: string | null = null;
  let turn = 0;

  const server = http.createServer((request, response) => {
    response.once("finish", () => {
      count += 1;
      if (response.statusCode >= 500)
        failures.push(`${request.method} ${request.url}: ${response.statusCode}`);
    });
    take(request, response).catch(() => {
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
    for (let refused = 0; ; refused += 1) {
      turn += 1;
      try {
        return await pass(request, body, response, targets[turn % targets.length] ?? 0);
      } catch (error) {
        // Only what has not been sent may be sent again.
        const isRefused = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
        if (!isRefused || refused + 1 >= targets.length) throw error;
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
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
