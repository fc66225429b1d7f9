/**
 * The access token of Google calls, held in memory until shortly before it expires. A service account signs an assertion
 * that names the reseller's administrator, and Google exchanges it (RFC 7523). Signed with jose: google-auth-library 10
 * has the token address built in, so a stand-in could not be spoken to.
 */
import { createPrivateKey, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import { readAnswer, send } from "../http.ts";
import { type GoogleConfig, googleTokenUrl } from "./config.ts";

export interface TokenSource {
  /** A valid access token; concurrent callers share one request. @throws ProviderError */
  read(): Promise<string>;
  /** Forgets `token` because the API turned it down; a newer one stays. */
  drop(token: string): void;
}

/** Both are delegated to the service account in the reseller's admin console (PROVIDERS section 2). */
const scopes = [
  "https://www.googleapis.com/auth/apps.order",
  "https://www.googleapis.com/auth/admin.directory.user",
].join(" ");

/** The longest Google accepts. */
const assertionSeconds = 3600;

/** A token this close to its end is not used: the call it is for takes time too. */
const safetyMs = 120_000;

const reply = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(600),
});

/** @throws Error when the private key is not a PEM key; the message holds nothing of it. */
export function createTokenSource(config: GoogleConfig): TokenSource {
  const tokenUrl = config.tokenUrl ?? googleTokenUrl;
  const key = readKey(config.privateKey);
  let current: { token: string; goodUntil: number } | undefined;
  let pending: Promise<string> | undefined;

  async function request(): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const assertion = await new SignJWT({ scope: scopes })
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
    const token = readAnswer(answer, reply);
    const lifeMs = token.expires_in * 1000;
    // A token of a few minutes gets half its life, so that it is used at all.
    current = { token: token.access_token, goodUntil: Date.now() + Math.max(lifeMs - safetyMs, lifeMs / 2) };
    return token.access_token;
  }

  return {
    read() {
      if (current !== undefined && Date.now() < current.goodUntil) return Promise.resolve(current.token);
      pending ??= request().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    drop(token) {
      if (current?.token === token) current = undefined;
    },
  };
}

/** Read at start, so that a mangled key stops the process and not the first paid order. */
function readKey(pem: string): KeyObject {
  let key: KeyObject;
  try {
    // Copied from a key file into an environment variable, the line ends often stay escaped.
    key = createPrivateKey(pem.replaceAll("\\n", "\n"));
  } catch {
    throw new Error("Google's private key is not a key in PEM form");
  }
  if (key.asymmetricKeyType !== "rsa") throw new Error("Google's private key is not an RSA key");
  return key;
}
