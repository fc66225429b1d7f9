/** A page as a whole document: what React draws for its own use in the browser, and what nobody draws again. */
import { Writable } from "node:stream";
import type { ReactElement } from "react";
import { renderToPipeableStream, renderToStaticMarkup } from "react-dom/server";
import { scriptsAfterPaint } from "./scripts-after-paint.ts";

const timeoutMs = 10_000;

/** At once, and without the marks by which React finds its way in a page. @throws what a component throws */
export function renderPlain(document: ReactElement): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(document)}`;
}

/**
 * With the data of its loaders, which Remix writes behind a boundary of its own.
 * @param onError told of what failed behind it: the rest of the document is whole
 * @throws what a component throws
 */
export function renderForReact(
  document: ReactElement,
  nonce: string,
  onError: (error: unknown) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const errors: unknown[] = [];
    const { pipe, abort } = renderToPipeableStream(document, {
      nonce,
      // Complete documents only: nothing is deferred, and the page works without scripts.
      onAllReady() {
        clearTimeout(timeout);
        errors.forEach(onError);
        pipe(collect((html) => resolve(import.meta.env.PROD ? scriptsAfterPaint(html) : html)));
      },
      onShellError(error) {
        clearTimeout(timeout);
        reject(error);
      },
      onError: (error) => void errors.push(error),
    });
    const timeout = setTimeout(abort, timeoutMs);
  });
}

/** @param onWhole told of the text when all of it is written */
function collect(onWhole: (text: string) => void): Writable {
  const pieces: Uint8Array[] = [];
  return new Writable({
    write(piece: Uint8Array, _encoding, done) {
      pieces.push(piece);
      done();
    },
    final(done) {
      const written = Buffer.concat(pieces).toString();
      // React fills a part of its output up with zeros where the next character, of several bytes as in Hindi, is too long for it.
      onWhole(written.replaceAll("\0", ""));
      done();
    },
  });
}
