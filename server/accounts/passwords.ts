/**
 * Password hashing: argon2id with OWASP's parameters, of the password in NFKC, since keyboards encode the same letters in several
 * ways. Sign-up has no length rule (docs/decisions/accounts.md#passwords). A maximum length bounds the work.
 */
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";

export const maxPasswordBytes = 1_024;

/** OWASP Password Storage: 19 MiB, two passes, one lane. The library defaults to argon2id. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Half of Node's thread pool. The other half keeps compressing pages and verifying sessions, however many passwords wait. */
const inTurn = pLimit(2);

/** @throws DomainError bad_request, on the field `password`, when it is longer than 1,024 bytes in UTF-8 */
export function requireHashableLength(password: string): void {
  if (isTooLong(password)) throw wrongField("password", msg("access.passwordTooLong"));
}

/**
 * Hashes a password without the rules for a new one, which hashNewPassword applies.
 * @throws DomainError as requireHashableLength
 */
export async function hashPassword(password: string): Promise<string> {
  requireHashableLength(password);
  return inTurn(() => hash(password.normalize("NFKC"), parameters));
}

/**
 * Verifies a password in NFKC, then in the spellings that earlier hashes were made of. A wrong password costs one verification if
 * it has one spelling, as every ASCII password has, and three at most.
 * @param passwordHash `null` when there is no such user, or no password yet. A decoy is verified then, equally often, so that the
 * response time does not reveal which emails are known.
 * @param replace stores the hash that replaces one of an older spelling
 */
export async function verifyPassword(
  passwordHash: string | null,
  password: string,
  replace: (newHash: string) => Promise<unknown>,
): Promise<boolean> {
  if (isTooLong(password)) return false;
  // Awaited for known users too, so that the first login of a process takes the same time for every user.
  const decoy = await nobodysHash();
  for (const [index, spelling] of spellingsOf(password).entries()) {
    const matches = await inTurn(() => verify(passwordHash ?? decoy, spelling));
    if (!matches || passwordHash === null) continue;
    if (index > 0) await replace(await hashPassword(password));
    return true;
  }
  return false;
}

/** Bounds the cost of a request. */
const maxSpellings = 3;

/** Lists the spellings from which a password's hash may have been made, today's first. */
function spellingsOf(password: string): string[] {
  const all = [password.normalize("NFKC"), password, password.normalize("NFC"), password.normalize("NFD")];
  return [...new Set(all)].slice(0, maxSpellings);
}

/**
 * Whether the password is too long as typed or in its normal form: decomposed letters are longer, and earlier hashes are of the
 * password as typed.
 */
function isTooLong(password: string): boolean {
  return [password, password.normalize("NFKC")].every(
    (spelling) => Buffer.byteLength(spelling, "utf8") > maxPasswordBytes,
  );
}

let nobodys: Promise<string> | undefined;

/** Creates the decoy hash once per process, with the same parameters as real hashes. */
function nobodysHash(): Promise<string> {
  nobodys ??= inTurn(() => hash(crypto.randomUUID(), parameters));
  return nobodys;
}
