/**
 * How many elements a document has. One that is to be hydrated says it of itself, so that a browser sees whether an extension or a translator has
 * changed it: React would draw it anew, without what was typed and without all that only the server draws.
 */

/** @returns how many a browser makes of it that runs scripts: to such a browser, what stands in `noscript` is text */
export function countElements(html: string): number {
  const tags = html.replaceAll(/(<(script|noscript|style)\b[^>]*>).*?<\/\2>/gs, "$1").match(/<[a-z]/g);
  return tags?.length ?? 0;
}
