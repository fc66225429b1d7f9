/** How documents go over the wire: whole, and so packed closer than a server can that packs them as they come. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** @typedef {"br" | "gzip" | "identity"} Encoding */

/** @param {string} accepted what the request's Accept-Encoding says; whoever weighs them gets it as it is @returns {Encoding} */
export function encodingFor(accepted) {
  if (/q=0/.test(accepted)) return "identity";
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : "identity";
}

/** @param {Uint8Array<ArrayBuffer>} document @param {Encoding} encoding @returns {Promise<Uint8Array<ArrayBuffer>>} */
export async function encode(document, encoding) {
  switch (encoding) {
    case "br":
      // From 5 on the gain is small, and below it a tenth is lost.
      return promisify(brotliCompress)(document, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    case "gzip":
      return promisify(gzip)(document);
    case "identity":
      return document;
  }
}

/** @param {Encoding} encoding @returns {Record<string, string>} */
export function headersOf(encoding) {
  return { Vary: "Accept-Encoding", ...(encoding !== "identity" && { "Content-Encoding": encoding }) };
}
