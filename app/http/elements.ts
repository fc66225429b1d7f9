/**
 * How many elements a document has. One that is to be hydrated says it of itself, so that a browser sees whether an extension or a translator has
 * changed it: React would draw it anew, without what was typed and without all that only the server draws.
 */

/** @returns how many a browser makes of it that runs scripts: to such a browser, what stands in `noscript` is text */
export function countElements(html: string): number {
  return html.match(/<(?:(script|noscript|style)\b[^>]*>.*?<\/\1>|[a-z])/gs)?.length ?? 0;
}
