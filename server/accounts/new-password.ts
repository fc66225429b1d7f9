/** Rules for a new password, whether a buyer, an invited colleague or staff set it. */
import { brand } from "#server/foundation/brand.ts";
import { wrongField } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { hashPassword, requireHashableLength } from "./passwords.ts";

/** Unit: characters. Sign-up has no length rule. */
export const minNewPasswordLength = 8;
export const newPasswordTooShort = msg("fields.passwordLength");
export const newPasswordTooCommon = msg("access.passwordTooCommon");
export const newPasswordNamesStore = msg("access.passwordNamesStore");
export const newPasswordNamesEmail = msg("access.passwordNamesEmail");

/** Counts a password's characters as they are hashed: a letter and its combining accent are one. */
export function passwordLength(password: string): number {
  return [...password.normalize("NFKC")].length;
}

/** @throws DomainError bad_request, on the field `password`, when it is too short */
export function requireNewPasswordLength(password: string): void {
  if (passwordLength(password) < minNewPasswordLength) throw wrongField("password", newPasswordTooShort);
}

/**
 * Checks and hashes a new password. No other function hashes passwords for storage.
 * @param email of the account
 * @throws DomainError bad_request, on the field `password`, when it is common, the store's name, the account's email, or too long
 */
export async function hashNewPassword(password: string, email: string): Promise<string> {
  requireHashableLength(password);
  const common = await commonPasswords();
  const folded = fold(password);
  if (common.has(folded)) throw wrongField("password", newPasswordTooCommon);
  if (brandWords.some((word) => isVariant(folded, word, common)))
    throw wrongField("password", newPasswordNamesStore);
  const address = fold(email);
  const mailbox = address.slice(0, address.lastIndexOf("@"));
  if (folded === address || folded === mailbox || isVariant(folded, mailbox))
    throw wrongField("password", newPasswordNamesEmail);
  return hashPassword(password);
}

const brandWords = [brand.name, ...brand.name.split(/\s+/), brand.orderPrefix];

/** Shorter words are part of too many others. */
const shortestWord = 3;

/**
 * Whether a password is the word with digits, signs or look-alikes ("h@ppiness").
 * @param endings words that may be added to it, such as "admin"
 */
function isVariant(password: string, of: string, endings: ReadonlySet<string> = new Set()): boolean {
  const word = lettersOf(fold(of));
  if (word.length < shortestWord) return false;
  const core = /\p{L}.*\p{L}/su.exec(password)?.[0] ?? "";
  return [password, core.replaceAll(/[013457@$]/g, (sign) => lookAlikes[sign] ?? sign)].some((typed) => {
    const letters = lettersOf(typed);
    const added = letters.startsWith(word)
      ? letters.slice(word.length)
      : letters.endsWith(word)
        ? letters.slice(0, -word.length)
        : null;
    return added !== null && (added === "" || added === word || endings.has(added));
  });
}

const lookAlikes: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

const lettersOf = (text: string) => text.replaceAll(/[^\p{L}\p{M}]/gu, "");

/** Normalises a password for comparison: case, width and outer spaces do not make one hard to guess. */
const fold = (text: string) => text.normalize("NFKC").trim().toLowerCase();

const commonRefused = 3_000;

let loaded: Promise<ReadonlySet<string>> | undefined;

/**
 * Loads the 3,000 most common passwords of zxcvbn's list, and the 3,000 most common that are long enough for a reset. Loads them
 * on first use, because reading the list would cost a starting process a fifth of a second.
 */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => {
    const all = dictionary["passwords-common"];
    const longEnough = all.filter(({ length }) => length >= minNewPasswordLength);
    return new Set([...all.slice(0, commonRefused), ...longEnough.slice(0, commonRefused)].map(fold));
  });
  return loaded;
}
