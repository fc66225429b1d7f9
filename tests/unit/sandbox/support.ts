/** A sandbox on free ports for one test file, with a receiver for its webhooks, and the few calls the tests repeat. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type RunningSandbox, type StartOptions, startSandbox } from "#server/sandbox/start.ts";

export const keys = {
  keyId: "rzp_test_unit",
  keySecret: "unit-secret",
  webhookSecret: "unit-webhook-secret",
};
export const callback = "http://localhost:3000/azure/ad/callback";
export const outlookClient = {
  clientId: "unit-client",
  clientSecret: "unit-client-secret",
  redirectUris: [callback],
};
export const basic = `Basic ${Buffer.from(`${keys.keyId}:${keys.keySecret}`).toString("base64")}`;

export function start(options: Partial<StartOptions> = {}): Promise<RunningSandbox> {
  return startSandbox({
    host: "127.0.0.1",
    port: 0,
    smtpPort: 0,
    dataFile: null,
    razorpay: keys,
    outlook: outlookClient,
    log: () => undefined,
    ...options,
  });
}

export interface Received {
  readonly eventId: string;
  readonly signature: string;
  readonly body: string;
}

/** Answers the statuses in turn, and 200 once they are used up. */
export async function webhookReceiver(statuses: number[] = []) {
  const received: Received[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      received.push({
        eventId: String(req.headers["x-razorpay-event-id"]),
        signature: String(req.headers["x-razorpay-signature"]),
        body: Buffer.concat(chunks).toString(),
      });
      res.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/webhooks/razorpay`,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

export async function bearer(url: string): Promise<string> {
  const response = await fetch(`${url}/microsoft-login/partner.example/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "app",
      client_secret: "secret",
      resource: "https://api.partnercenter.microsoft.com",
    }),
  });
  const { access_token } = await response.json();
  return `Bearer ${access_token}`;
}
