/** The Hindi of the test catalogue, which is short: a page says it or does not. */
import type { TranslatedWords } from "#db/item-words.ts";

export function inHindi(
  ...[audience, description, ...features]: [string, string, ...string[]]
): TranslatedWords {
  return { hi: { audience, description, features } };
}
