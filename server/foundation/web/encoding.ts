/** Compresses complete documents, which gives a better ratio than compressing them as a stream. */
import { type BrotliOptions, constants, createBrotliCompress, createGzip } from "node:zlib";

export type Encoding = "br" | "gzip" | "identity";

/** @param accepted the request's Accept-Encoding; with weights below 1 the response is not compressed */
export function encodingFor(accepted: string): Encoding {
  if (/q=0/.test(accepted)) return "identity";
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : "identity";
}

/** Compresses in another thread, so that the rendering thread can begin the next page. */
export async function encode(
  document: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
): Promise<Uint8Array<ArrayBuffer>> {
  return encoding === "identity" ? document : inOneStep(document, encoding);
}

/**
 * Compresses in one call. Node's own functions for a whole document pass it to the thread twice, the second time only to mark its
 * end; this marks the end the first time.
 */
function inOneStep(
  document: Uint8Array<ArrayBuffer>,
  encoding: "br" | "gzip",
): Promise<Uint8Array<ArrayBuffer>> {
  const { length } = document;
  // Room for the whole output, because the rest would need another round trip to the thread.
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
      // Above level 6 the gain is small and slow; level 5 takes a tenth less time and a hundredth more bytes.
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_SIZE_HINT]: length,
      // The compressor allocates 4 MB for each document by default.
      [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(length + 1)))),
    },
  };
}

export function headersOf(encoding: Encoding): Record<string, string> {
  return { Vary: "Accept-Encoding", ...(encoding !== "identity" && { "Content-Encoding": encoding }) };
}
