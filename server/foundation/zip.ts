/** Creates zip files as a stream: one file after another, without keeping any in memory. */
import { setImmediate as othersTurn } from "node:timers/promises";
import { Zip, ZipPassThrough } from "fflate";

export interface FileInZip {
  name: string;
  /** Modification time, from 1980 on. */
  at: Date;
  bytes: Uint8Array;
}

/**
 * Yields the bytes of a zip, in pieces. The files are stored uncompressed, since PDFs are compressed already. Other work runs
 * after each file.
 */
export async function* zipOf(files: AsyncIterable<FileInZip>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    ready.push(piece);
  });
  for await (const { name, at, bytes } of files) {
    const file = new ZipPassThrough(name);
    file.mtime = at;
    zip.add(file);
    file.push(bytes, true);
    yield* ready.splice(0);
    await othersTurn();
  }
  zip.end();
  yield* ready.splice(0);
}
