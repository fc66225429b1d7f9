/** Compresses complete documents, which gives a better ratio than compressing them as a stream. */
import { type BrotliOptions, constants, createBrotliCompress, createGzip } from "node:zlib";

export type Encoding = "br" | "gzip" | "identity";

/** @param accepted the request's Accept-Encoding; one with weights below 1 gets an uncompressed answer */
export function encodingFor(accepted: string): Encoding {
  if (/q=0/.test(accepted)) return "identity";
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : "identity";
}

/** In another thread, so that the one that renders begins with the next page. */
export async function encode(
  document: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
): Promise<Uint8Array<ArrayBuffer>> {
  return encoding === "identity" ? document : inOneStep(document, encoding);
}

/**
 * Node's own functions for a whole document hand it over twice, the second time with nothing but the word that it has ended: this says so
 * the first time.
 */
function inOneStep(
  document: Uint8Array<ArrayBuffer>,
  encoding: "br" | "gzip",
): Promise<Uint8Array<ArrayBuffer>> {
  const { length } = document;
  // Room for all that comes out, or what does not fit would be fetched from the other thread by itself.
  const chunkSize = Math.max(1_024, Math.ceil(length / 2));
  const compressor =
    encoding === "br"
      ? createBrotliCompress({ ...brotliFor(length), flush: constants.BROTLI_OPERATION_FINISH, chunkSize })
      : createGzip({ flush: constants.Z_FINISH, chunkSize });
  const pieces: Buffer<ArrayBuffer>[] = [];
  compressor.on("data", (piece: Buffer<ArrayBuffer>) => pieces.push(piece));
  const compressed = new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
    compressor.once("error", reject);
    compressor.write(document, () => {
      const [first = Buffer.alloc(0), ...more] = pieces;
      resolve(more.length === 0 ? first : Buffer.concat([first, ...more]));
    });
  });
  return compressed.finally(() => compressor.close());
}

function brotliFor(length: number): BrotliOptions {
  return {
    params: {
      // Above level 6 the gain is small and dear; level 5 takes a tenth less time and a hundredth more bytes.
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
      // The compressor's memory, which is made ready for each document, is 4 MB unless told otherwise.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(length + 1)))),
    },
  };
}

export function headersOf(encoding: Encoding): Record<string, string> {
  return { Vary: "Accept-Encoding", ...(encoding !== "identity" && { "Content-Encoding": encoding }) };
}
