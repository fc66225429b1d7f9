/** Hindi texts of the test catalogue, short and easy to search for in a page. */
import type { TranslatedItemCopy } from "#db/catalogue/item-copy.ts";

export function inHindi(
  ...[audience, description, ...features]: [string, string, ...string[]]
): TranslatedItemCopy {
  return { hi: { audience, description, features } };
}
