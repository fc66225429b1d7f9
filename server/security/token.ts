/** Random tokens for links and cookies. Only the hash is stored: who reads the database cannot use what is in the mails. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 random bits in base64url, 43 characters. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 in hex, 64 characters. Enough for tokens of 256 random bits; passwords go through argon2 instead. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}

/** Compares two secrets in a time that tells nothing of where, or in what length, they differ. */
export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(a), digest(b));
}
