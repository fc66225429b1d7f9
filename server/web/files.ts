/**
 * The files browsers download, packed once when the store is built instead of at each request: brotli and gzip at their best
 * beside each file, and a server that picks. remix-serve would pack them anew each time, and a fifth larger.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import sirv from "sirv";

const packable = /\.(css|html|js|json|svg|txt|webmanifest|xml)$/;
/** Pictures that stand in other sites' previews of a link. */
const shownElsewhere = /^\/(social|icon-\d+)\.png$/;
/** A document among the files names its own styles in itself, and runs nothing. */
const policyOfDocuments =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** Below this nothing is gained. */
const leastBytes = 256;

/** Answers a request, or leaves it to what comes next. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Writes `name.br` and `name.gz` beside each file that gets smaller by it. */
export function packFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !packable.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const plain = readFileSync(file);
    if (plain.length < leastBytes) continue;
    const brotli = brotliCompressSync(plain, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    });
    writeFileSync(`${file}.br`, brotli);
    writeFileSync(`${file}.gz`, gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }));
  }
}

/** Serves what is in the folder now: the list is read once, so no address can lead out of it. */
export function filesFrom(folder: string): Middleware {
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    extensions: [],
    maxAge: 3_600,
    setHeaders(response, pathname) {
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setHeader(
        "Cross-Origin-Resource-Policy",
        shownElsewhere.test(pathname) ? "cross-origin" : "same-origin",
      );
      // Its library knows no type for it, and under nosniff none is guessed.
      if (pathname.endsWith(".ico")) response.setHeader("Content-Type", "image/x-icon");
      if (pathname.endsWith(".html")) {
        response.setHeader("Content-Security-Policy", policyOfDocuments);
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "same-origin");
      }
      response.removeHeader("X-Request-Id");
      // Their names change with what is in them.
      if (pathname.startsWith("/assets/"))
        response.setHeader("Cache-Control", "public,max-age=31536000,immutable");
    },
  });
  return (request, response, next) => {
    if (request.method === "GET" || request.method === "HEAD") serve(request, response, next);
    else next();
  };
}
