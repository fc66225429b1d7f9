/**
 * Static files for browsers, compressed once at build time: best-quality brotli and gzip next to each file, and a middleware that
 * picks one. remix-serve would compress them for each request, with a result a fifth larger.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import sirv, { type Options } from "sirv";

const packable = /\.(css|html|js|json|svg|txt|webmanifest|xml)$/;
/** Images that appear in other sites' link previews. */
const shownElsewhere = /^\/(social|icon-\d+)\.png$/;
/** A static document has inline styles and runs no scripts. */
const policyOfDocuments =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** Smaller files gain nothing from compression. */
const minBytes = 256;

/** Answers a request, or calls the next handler. */
export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Writes `name.br` and `name.gz` next to each file that compression makes smaller. */
export function packFiles(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !packable.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const plain = readFileSync(file);
    if (plain.length < minBytes) continue;
    const brotli = brotliCompressSync(plain, {
      params: { [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    });
    writeFileSync(`${file}.br`, brotli);
    writeFileSync(`${file}.gz`, gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }));
  }
}

/**
 * Serves the files that the folder contains now. The list is read once, so no address can escape the folder (path traversal).
 */
export function filesFrom(folder: string): Middleware {
  const options: Options = {
    brotli: true,
    gzip: true,
    extensions: [],
    maxAge: 3_600,
    setHeaders(response, pathname) {
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setHeader(
        "Cross-Origin-Resource-Policy",
        shownElsewhere.test(pathname) ? "cross-origin" : "same-origin",
      );
      // The library has no type for it, and nosniff keeps browsers from guessing one.
      if (pathname.endsWith(".ico")) response.setHeader("Content-Type", "image/x-icon");
      if (pathname.endsWith(".html")) {
        response.setHeader("Content-Security-Policy", policyOfDocuments);
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "same-origin");
      }
      response.removeHeader("X-Request-Id");
      // HTTP/1.1 keeps a connection open by default, and each of a page's dozen files would repeat the header.
      response.removeHeader("Connection");
      // File names contain a content hash.
      if (pathname.startsWith("/assets/")) response.setHeader("Cache-Control", "max-age=31536000,immutable");
    },
  };
  const serve = sirv(folder, { ...options, etag: true });
  // A file with a hash in its name never changes, so it needs no revalidation, and a page has a dozen of them.
  const serveForGood = sirv(folder, options);
  return (request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    // No file is large enough to be fetched in ranges, and the library throws for a range that ends before it begins.
    delete request.headers.range;
    const isForGood = request.url?.startsWith("/assets/") === true;
    return (isForGood ? serveForGood : serve)(request, response, next);
  };
}
