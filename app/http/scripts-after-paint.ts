/**
 * A hydrated page is whole without its scripts. On a slow line they would share the line with the stylesheet that the first
 * paint waits for, so the document names them under a kind that browsers leave alone, until enhance/scripts-after-paint.ts.
 */

/** The kind of a script or link that waits for the first paint. */
export const deferredType = "later";

/** @param html a document whose scripts Remix has written */
export function scriptsAfterPaint(html: string): string {
  return html
    .replaceAll('<link rel="modulepreload"', `<link rel="${deferredType}"`)
    .replaceAll(/(<script nonce="[^"]*") type="module" async=""/g, `$1 type="${deferredType}"`);
}
