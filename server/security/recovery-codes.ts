/** Codes for whoever has lost their authenticator app: each works once. */
import { randomInt } from "node:crypto";
import { hashToken } from "./token.ts";

const count = 10;
/** Without letters and digits that look alike. */
const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";
const length = 16;

/** Ten codes of 16 characters in groups of four. Only their hashes are stored. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
    return characters.replaceAll(/(.{4})(?=.)/g, "$1-");
  });
}

/** SHA-256, which suffices for a code of 79 random bits. The code may be typed with other spaces, hyphens and capitals. */
export function hashRecoveryCode(typed: string): string {
  return hashToken(typed.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}
