/** Generates the first password of a new account: random, 16 characters, easy to read over the phone. */
import { randomInt } from "node:crypto";

/** Leaves out l, I, 1, o, O and 0, because a buyer types the password from a screen. */
const groups = ["abcdefghijkmnpqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789", "@$!%*?&"] as const;
const length = 16;

/**
 * Generates 16 characters with at least one lower case, one upper case, one digit and one of @$!%*?& (Microsoft's and Google's
 * rule).
 */
export function generatePassword(): string {
  const pick = (characters: string) => characters.charAt(randomInt(characters.length));
  const characters = groups.map(pick);
  while (characters.length < length) characters.push(pick(groups.join("")));
  for (let i = characters.length - 1; i > 0; i--) {
    const j = randomInt(i + 1);
    const swap = characters[i] ?? "";
    characters[i] = characters[j] ?? "";
    characters[j] = swap;
  }
  return characters.join("");
}
