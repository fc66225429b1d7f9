/**
 * The access token for Google calls, cached in memory until shortly before it expires. The service account signs an assertion
 * that names the reseller's administrator, and Google exchanges it (RFC 7523). Signed with jose, because google-auth-library
 * 10 has a fixed token address and could not call the sandbox.
 */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import { parseResponse, send } from "../http.ts";
import { cachedTokenSource, type TokenSource } from "../token-source.ts";
import { type GoogleConfig, googleTokenUrl } from "./config.ts";

/** Both are delegated to the service account in the reseller's admin console (docs/providers.md, section 2.1). */
const orderScopes = [
  "https://www.googleapis.com/auth/apps.order",
  "https://www.googleapis.com/auth/admin.directory.user",
];

/** Separate from the others, so that only reports fail if it is not delegated. */
export const reportScopes = ["https://www.googleapis.com/auth/apps.reports.usage.readonly"];

/** Maximum lifetime that Google accepts. */
const assertionSeconds = 3600;

const reply = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(600),
});

/** @throws Error when the private key is not a PEM key; the message contains no part of it. */
export function createTokenSource(
  config: GoogleConfig,
  scopes: readonly string[] = orderScopes,
): TokenSource {
  const tokenUrl = config.tokenUrl ?? googleTokenUrl;
  const key = readKey(config.privateKey);
  return cachedTokenSource(async () => {
    const now = Math.floor(Date.now() / 1000);
    const assertion = await new SignJWT({ scope: scopes.join(" ") })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .setIssuer(config.serviceAccountEmail)
      .setSubject(config.resellerAdmin)
      .setAudience(tokenUrl)
      .setIssuedAt(now)
      .setExpirationTime(now + assertionSeconds)
      .sign(key);
    const answer = await send({
      provider: "google",
      method: "POST",
      url: tokenUrl,
      form: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion },
      secrets: [assertion],
      timeoutMs: config.timeoutMs,
      onCall: config.onCall,
    });
    const token = parseResponse(answer, reply);
    return { token: token.access_token, lifeMs: token.expires_in * 1000 };
  });
}

/** Parses the key at start, so that a mangled one stops the process instead of the first paid order. */
function readKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    // Line breaks copied from a key file into an environment variable often stay escaped.
    key = createPrivateKey(pem.replaceAll("\\n", "\n"));
  } catch {
    throw new Error("Google's private key is not a key in PEM form");
  }
  if (key.asymmetricKeyType !== "rsa") throw new Error("Google's private key is not an RSA key");
  return key;
}
