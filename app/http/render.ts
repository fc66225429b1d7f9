/** Renders a page as a whole document: for hydration by React, or as static HTML. */
import type { ReactElement } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { countElements } from "./elements.ts";
import { scriptsAfterPaint } from "./scripts-after-paint.ts";

const doctype = "<!DOCTYPE html>";

/** Renders synchronously, without the markers that React needs for hydration. @throws what a component throws */
export function renderStatic(document: ReactElement): string {
  return doctype + renderToStaticMarkup(document);
}

/**
 * Renders with hydration markers, and with the loaders' data after the document. Remix would render the data as a late part of
 * the page, for which React has to stream: all of ours is available before rendering.
 * @param data the loaders' data, as Remix encodes it; read once the document is rendered, undefined where nothing needs it
 * @throws what a component throws
 */
export async function renderForReact(
  document: ReactElement,
  { nonce, data }: { nonce: string; data: () => ReadableStream<Uint8Array> | undefined },
): Promise<string> {
  const drawn = renderToString(document);
  const html = doctype + (import.meta.env.PROD ? scriptsAfterPaint(drawn) : drawn);
  const encoded = data();
  return countedIn(encoded === undefined ? html : html + scriptOf(await textOf(encoded), nonce));
}

/** Writes the element count to root.tsx's link, where entry.client.tsx reads it. */
function countedIn(html: string): string {
  return html.replace('id="messages"', `$& data-elements="${countElements(html)}"`);
}

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read())
    text += decoder.decode(piece.value, { stream: true });
  return text + decoder.decode();
}

/** Passes the data to Remix in the browser, as its own `StreamTransfer` does (@remix-run/react, single-fetch.js). */
function scriptOf(data: string, nonce: string): string {
  const controller = "window.__remixContext.streamController";
  return `<script nonce="${nonce}">${controller}.enqueue(${inScript(data)});${controller}.close();</script>`;
}

/** A string literal that cannot end its script element. */
function inScript(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
