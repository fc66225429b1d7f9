/**
 * Counts a document's elements. A document to be hydrated contains the count, so that the browser detects changes by an extension
 * or a translator. React would re-render such a page, losing typed input and everything that only the server renders.
 */

/** @returns the number of elements in a browser that runs scripts, which treats the content of `noscript` as text */
export function countElements(html: string): number {
  return html.match(/<(?:(script|noscript|style)\b[^>]*>.*?<\/\1>|[a-z])/gs)?.length ?? 0;
}
