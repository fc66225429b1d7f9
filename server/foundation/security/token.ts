/** Random tokens for links and cookies. Only the hash is stored, so that access to the database does not reveal usable links. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Creates a token of 256 random bits in base64url, 43 characters. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the SHA-256 in hex, 64 characters. Sufficient for tokens of 256 random bits. Passwords use argon2 instead. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}

/** Compares two secrets in constant time, regardless of their content and length. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(a), digest(b));
}
