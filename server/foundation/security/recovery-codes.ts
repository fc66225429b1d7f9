/**
 * Codes that a person types, each of which works once: for a lost authenticator app, and by mail for an account without a
 * password.
 */
import { randomInt } from "node:crypto";
import { hashToken } from "./token.ts";

const count = 10;
/** Excludes letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const length = 16;

/** Creates a code of 16 characters in groups of four. Only its hash is stored. */
export function newCode(): string {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
  return characters.replaceAll(/(.{4})(?=.)/g, "$1-");
}

/** Creates ten codes. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, newCode);
}

/** Returns only the code's characters, since it may be entered with other spaces, hyphens and capitals. */
export function plainCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Hashes with SHA-256, which is enough for a code of 79 random bits. */
export function hashRecoveryCode(typed: string): string {
  return hashToken(plainCode(typed));
}
