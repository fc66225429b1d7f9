/** The Hindi of the test catalogue, which is short: a page says it or does not. */
import type { TranslatedItemCopy } from "#db/catalogue/item-copy.ts";

export function inHindi(
  ...[audience, description, ...features]: [string, string, ...string[]]
): TranslatedItemCopy {
  return { hi: { audience, description, features } };
}
