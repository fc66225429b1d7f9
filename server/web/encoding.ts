/** Compresses complete documents, which gives a better ratio than compressing them as a stream. */
import { promisify } from "node:util";
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";

export type Encoding = "br" | "gzip" | "identity";

/** @param accepted the request's Accept-Encoding; one with weights below 1 gets an uncompressed answer */
export function encodingFor(accepted: string): Encoding {
  if (/q=0/.test(accepted)) return "identity";
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : "identity";
}

/** Smaller ones are compressed sooner than they are handed to another thread and back. */
const handedOver = 32 * 1_024;

export async function encode(
  document: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
): Promise<Uint8Array<ArrayBuffer>> {
  const isSmall = document.length < handedOver;
  switch (encoding) {
    case "br":
      return isSmall
        ? brotliCompressSync(document, brotliFor(document))
        : promisify(brotliCompress)(document, brotliFor(document));
    case "gzip":
      return isSmall ? gzipSync(document) : promisify(gzip)(document);
    case "identity":
      return document;
  }
}

function brotliFor({ length }: Uint8Array): BrotliOptions {
  return {
    params: {
      // Above level 5 the gain is small and dear, and below it a tenth is lost.
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
      // The compressor's memory, which is made ready for each document, is 4 MB unless told otherwise.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(length + 1)))),
    },
  };
}

export function headersOf(encoding: Encoding): Record<string, string> {
  return { Vary: "Accept-Encoding", ...(encoding !== "identity" && { "Content-Encoding": encoding }) };
}
