/** A page as a whole document: what React draws for its own use in the browser, and what nobody draws again. */
import type { ReactElement } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { countElements } from "./elements.ts";
import { scriptsAfterPaint } from "./scripts-after-paint.ts";

const doctype = "<!DOCTYPE html>";

/** At once, and without the marks by which React finds its way in a page. @throws what a component throws */
export function renderStatic(document: ReactElement): string {
  return doctype + renderToStaticMarkup(document);
}

/**
 * With those marks, and with the data of the loaders behind the document. Remix would render the data as a part of the page that comes
 * later, for which React has to render in a stream: all of ours is there before the page is drawn.
 * @param data of the loaders, as Remix encodes it; asked for once the document is drawn, and undefined where nothing reads it
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

/** Says it at the link of root.tsx, where entry.client.tsx reads it. */
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

/** Hands the data to Remix in the browser, as its own `StreamTransfer` does (@remix-run/react, single-fetch.js). */
function scriptOf(data: string, nonce: string): string {
  const controller = "window.__remixContext.streamController";
  return `<script nonce="${nonce}">${controller}.enqueue(${inScript(data)});${controller}.close();</script>`;
}

/** A text as a literal that cannot end the script it stands in. */
function inScript(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
