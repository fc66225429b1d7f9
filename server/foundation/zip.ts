/** Zip files, written while they are made: one file after the other, none of them kept. */
import { setImmediate as othersTurn } from "node:timers/promises";
import { Zip, ZipPassThrough } from "fflate";

export interface FileInZip {
  name: string;
  /** When it says it was written, from 1980 on. */
  at: Date;
  bytes: Uint8Array;
}

/**
 * The bytes of a zip, in pieces. The files are stored as they are: PDFs are compressed already. Other work has its turn after each
 * file.
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
