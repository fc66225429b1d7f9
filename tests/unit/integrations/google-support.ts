/** Shared by the tests of Google: a key, a client and a server that answers its calls in order. */
import { generateKeyPairSync } from "node:crypto";
import type { setupServer } from "msw/node";
import { createGoogle, type GoogleConfig } from "#server/integrations/google.ts";
import { answering, json } from "./support.ts";

export const channelUrl = "https://channel.test";
export const directoryUrl = "https://directory.test";
export const tokenUrl = "https://token.test/token";
export const requestId = "0f8fad5b-d9cb-469f-a165-70867728950e";
export const customerName = "accounts/C0reseller/customers/S1";
export const entitlementName = `${customerName}/entitlements/E1`;
export const offerName = "accounts/C0reseller/offers/O1";

const pair = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});

export const publicKey = pair.publicKey;
export const privateKey = pair.privateKey;

export function startGoogle(changes: Partial<GoogleConfig> = {}) {
  return createGoogle({
    channelUrl: `${channelUrl}/`,
    directoryUrl,
    tokenUrl,
    accountId: "C0reseller",
    serviceAccountEmail: "store@hubs.iam.gserviceaccount.com",
    privateKey,
    resellerAdmin: "admin@reseller.example",
    timeoutMs: 1000,
    ...changes,
  });
}

/** Answers the calls of one API in order, regardless of their path (a colon cannot be part of a pattern), and token requests. */
export function answerer(server: ReturnType<typeof setupServer>, base: string) {
  return (...replies: (() => Response)[]) => {
    const token = answering(tokenUrl, json({ access_token: "access-1", expires_in: 3599 }));
    const { handler, sent } = answering(`${base}/*`, ...replies);
    server.use(handler, token.handler);
    return sent;
  };
}

/** Builds an error response in Cloud Channel's format. */
export function refusal(code: number, status: string, message = "No", details: unknown[] = []) {
  return json({ error: { code, message, status, details } }, code);
}
