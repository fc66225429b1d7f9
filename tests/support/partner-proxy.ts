/**
 * Stands between the store and the sandbox's Partner Center and lies once in a while, in ways the sandbox itself does not: a call
 * that was carried out is answered with an error, or an order is not there yet.
 */
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

export interface Lie {
  method: string;
  /** Tested against the path and query. */
  path: RegExp;
  times: number;
  /** "instead": the provider never sees the call; "afterwards": it has carried it out. */
  told: "instead" | "afterwards";
  status: number;
  body: object;
}

export interface PartnerProxy {
  /** What the store is given as PARTNER_CENTER_URL. */
  url: string;
  leadTo(sandboxUrl: string): void;
  /** On top of those not yet told. */
  tell(lie: Lie): void;
  /** How many lies are left. */
  untold(): number;
  stop(): Promise<void>;
}

export async function startPartnerProxy(): Promise<PartnerProxy> {
  let target = "";
  let lies: Lie[] = [];

  function takeLie(method: string, path: string): Lie | undefined {
    const lie = lies.find((each) => each.method === method && each.path.test(path));
    if (lie === undefined) return undefined;
    lie.times -= 1;
    lies = lies.filter(({ times }) => times > 0);
    return lie;
  }

  const server = createServer((req, res) => {
    const { method = "GET", url: path = "/" } = req;
    const lie = takeLie(method, path);
    void (async () => {
      const answer = lie?.told === "instead" ? null : await forward(req, method, `${target}${path}`);
      const body = lie === undefined ? ((await answer?.text()) ?? "") : JSON.stringify(lie.body);
      const retryAfter = answer?.headers.get("retry-after");
      res.writeHead(lie?.status ?? answer?.status ?? 502, {
        "Content-Type": "application/json",
        ...(retryAfter != null && { "Retry-After": retryAfter }),
      });
      res.end(body);
      // What the provider does to us, we do to the store.
    })().catch(() => req.socket.resetAndDestroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy listens on no port");

  return {
    url: `http://127.0.0.1:${address.port}/partner-center`,
    leadTo(sandboxUrl) {
      target = sandboxUrl;
    },
    tell(lie) {
      lies.push({ ...lie });
    },
    untold: () => lies.length,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function forward(req: IncomingMessage, method: string, url: string): Promise<Response> {
  const body = await buffer(req);
  const headers = new Headers();
  for (const name of ["authorization", "content-type", "ms-requestid", "ms-correlationid", "accept"]) {
    const value = req.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  return fetch(url, { method, headers, body: body.length === 0 ? null : body, redirect: "manual" });
}
