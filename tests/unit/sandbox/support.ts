/** Starts a sandbox on free ports for one test file, with a receiver for its webhooks and shared calls. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type RunningSandbox, type StartOptions, startSandbox } from "#sandbox/vendors/start.ts";

export const keys = {
  country: "IN",
  keyId: "rzp_test_unit",
  keySecret: "unit-secret",
  webhookSecret: "unit-webhook-secret",
};
export const otherKeys = {
  country: "US",
  keyId: "rzp_test_unit_us",
  keySecret: "unit-secret-us",
  webhookSecret: "unit-webhook-secret-us",
};
export const callback = "http://localhost:3000/azure/ad/callback";
export const outlookClient = {
  clientId: "unit-client",
  clientSecret: "unit-client-secret",
  redirectUris: [callback],
};
export const googleCallback = "http://localhost:3000/sign-in/google/callback";
export const googleClient = {
  clientId: "unit-google-client",
  clientSecret: "unit-google-secret",
  redirectUris: [googleCallback],
};
export const partners = [
  { country: "IN", tenant: "partner-in.example", clientId: "app-in", clientSecret: "secret-in" },
  { country: "US", tenant: "partner-us.example", clientId: "app-us", clientSecret: "secret-us" },
] as const;
export const basic = basicOf(keys);

export function basicOf({ keyId, keySecret }: Pick<typeof keys, "keyId" | "keySecret">): string {
  return `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
}

export function start(options: Partial<StartOptions> = {}): Promise<RunningSandbox> {
  return startSandbox({
    host: "127.0.0.1",
    port: 0,
    smtpPort: 0,
    dataFile: null,
    razorpay: [keys, otherKeys],
    identityProviders: { outlook: outlookClient, google: googleClient },
    partners,
    log: () => undefined,
    ...options,
  });
}

export interface Received {
  readonly eventId: string;
  readonly signature: string;
  readonly body: string;
}

/** Starts a server that responds with these statuses in order, then with 200. */
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
  if (address === null || typeof address === "string") throw new Error("Expected an address with a port");
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

type Partner = (typeof partners)[number];

/** Requests a token as the partner of that country. */
export function askToken(url: string, grant: Record<string, string>, partner: Partner = partners[0]) {
  const { tenant, clientId, clientSecret } = partner;
  return fetch(`${url}/microsoft-login/${tenant}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      resource: "https://api.partnercenter.microsoft.com",
      ...grant,
    }),
  });
}

/** Requests the tokens of one of the partner's users, who consents as in a browser. */
export async function consented(url: string, person = "agent", partner: Partner = partners[0]) {
  const redirectUri = "http://localhost:3210/partner-consent";
  const verifier = "v".repeat(64);
  const query = new URLSearchParams({
    client_id: partner.clientId,
    response_type: "code",
    redirect_uri: redirectUri,
    resource: "https://api.partnercenter.microsoft.com",
    state: "state",
    nonce: "nonce",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  const accepted = await fetch(`${url}/microsoft-login/${partner.tenant}/oauth2/authorize?${query}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ person, action: "sign-in" }),
  });
  const code = new URL(accepted.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const grant = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  return (await askToken(url, grant, partner)).json();
}

/** Returns the authorization of a user with a second factor. */
export async function bearer(url: string, partner: Partner = partners[0]): Promise<string> {
  const { access_token } = await consented(url, "agent", partner);
  return `Bearer ${access_token}`;
}

export const contract = { "ms-contract-version": "v1" };
