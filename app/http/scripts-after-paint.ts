/**
 * Delays the scripts of a hydrated page, which is complete without them. On a slow line they would share the bandwidth with the
 * stylesheet that blocks the first paint, so the document gives them a type that browsers ignore until
 * enhance/scripts-after-paint.ts replaces it.
 */

/** Type of a script or link that waits for the first paint. */
export const deferredType = "later";

/** @param html a document whose scripts Remix has written */
export function scriptsAfterPaint(html: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', `<link rel="${deferredType}"`)
    .replaceAll(/(<script nonce="[^"]*") type="module" async=""/g, `$1 type="${deferredType}"`);
}
