/** Compresses complete documents, which gives a better ratio than compressing them as a stream. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip" | "identity";

/** @param accepted the request's Accept-Encoding; one with weights below 1 gets an uncompressed answer */
export function encodingFor(accepted: string): Encoding {
  if (/q=0/.test(accepted)) return "identity";
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : "identity";
}

export async function encode(
  document: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
): Promise<Uint8Array<ArrayBuffer>> {
  switch (encoding) {
    case "br":
      // Above level 6 the gain is small and dear, and below 5 a tenth is lost.
      return promisify(brotliCompress)(document, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
    case "gzip":
      return promisify(gzip)(document);
    case "identity":
      return document;
  }
}

export function headersOf(encoding: Encoding): Record<string, string> {
  return { Vary: "Accept-Encoding", ...(encoding !== "identity" && { "Content-Encoding": encoding }) };
}
