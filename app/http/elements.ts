/**
 * How many elements a document has. A hydrated one says it of itself, because React must not have one that somebody else has changed, such as
 * an extension or a translator: it would draw it anew, without what was typed and without all that only the server draws.
 */

/** @returns how many a browser makes of it that runs scripts: to such a browser, what stands in `noscript` is text */
export function countElements(html: string): number {
  const tags = html.replaceAll(/(<(script|noscript|style)\b[^>]*>).*?<\/\2>/gs, "$1").match(/<[a-z]/g);
  return tags?.length ?? 0;
}
