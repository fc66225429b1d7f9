/**
 * Self-contained access tokens, which outlive a restart without being stored. They protect nothing worth a real secret; each
 * issuer has its own key, so that one provider's token is invalid at another.
 */
import { createHmac } from "node:crypto";
import { guid, type JsonObject, jsonObject } from "./http-helpers.ts";
import type { Sandbox } from "./sandbox.ts";

const tokenLifeMs = 3600_000;

export interface Issuer {
  readonly key: string;
}

export function issueToken(
  sandbox: Sandbox,
  issuer: Issuer,
  claims: JsonObject = {},
): { token: string; expiresInSeconds: number } {
  const content = { ...claims, exp: sandbox.now() + tokenLifeMs, jti: guid() };
  const text = Buffer.from(JSON.stringify(content)).toString("base64url");
  return { token: `${text}.${seal(issuer, text)}`, expiresInSeconds: tokenLifeMs / 1000 };
}

/** @returns the claims of the issued token, or undefined when it is missing, not this issuer's, or expired */
export function tokenClaims(
  sandbox: Sandbox,
  issuer: Issuer,
  authorization: string | null,
): JsonObject | undefined {
  const [, text, signature] = /^Bearer ([\w-]+)\.([\w-]+)$/i.exec(authorization ?? "") ?? [];
  if (text === undefined || signature !== seal(issuer, text)) return undefined;
  const claims = jsonObject.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  return typeof claims.exp === "number" && claims.exp > sandbox.now() ? claims : undefined;
}

function seal({ key }: Issuer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
