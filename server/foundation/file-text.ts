/**
 * Reads the text of a file from a vendor or a spreadsheet program: unpacks and decodes it, or refuses it with the reason
 * (docs/decisions/prices.md#vendors-files).
 */
import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import { Unzip, UnzipInflate } from "fflate";

/** Thrown for a file that cannot be read as it is. The message says where, and what to do. */
export class FileError extends Error {}

/** Largest decompressed size of a file. Microsoft's price sheet has about 42 MB. */
const maxBytes = 512 * 1024 * 1024;

const saveAs = 'In Excel, save it as "CSV UTF-8 (Comma delimited)".';

/**
 * Yields the text of a file: plain, in a gzip, or the only file of a zip. UTF-8 with or without a byte order mark, or UTF-16 with
 * one.
 * @throws FileError for anything else, such as a workbook or Windows-1252
 */
export async function* fileText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const packed = await withStart(bytes);
  yield* decoded(await withStart(atMost(unpacked(packed))));
}

/** Sends a source through a transform; an error of either ends both. */
export function through(source: AsyncIterable<unknown>, transform: Transform): AsyncIterable<unknown> {
  pipeline(Readable.from(source), transform, () => undefined);
  return transform;
}

interface StartedFile {
  start: readonly number[];
  bytes: AsyncIterable<Uint8Array>;
}

const startLength = 4;

/** Reads enough to detect the file's format. */
async function withStart(source: AsyncIterable<Uint8Array>): Promise<StartedFile> {
  const rest = source[Symbol.asyncIterator]();
  let first = new Uint8Array(0);
  while (first.length < startLength) {
    const { done, value } = await rest.next();
    if (done === true) break;
    first = new Uint8Array(Buffer.concat([first, value]));
  }
  async function* whole() {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { start: [...first.subarray(0, startLength)], bytes: whole() };
}

const beginsWith = (start: readonly number[], ...bytes: readonly number[]) =>
  bytes.every((byte, index) => start[index] === byte);

function unpacked({ start, bytes }: StartedFile): AsyncIterable<Uint8Array> {
  if (beginsWith(start, 0x1f, 0x8b)) return gunzipped(bytes);
  if (beginsWith(start, 0x50, 0x4b)) return unzipped(bytes);
  if (beginsWith(start, 0xd0, 0xcf, 0x11, 0xe0)) throw new FileError(`This is an Excel workbook. ${saveAs}`);
  return bytes;
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of through(bytes, createGunzip())) if (piece instanceof Uint8Array) yield piece;
  } catch (error) {
    throw damaged("gzip", error);
  }
}

async function* unzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const names: string[] = [];
  let failure: unknown = null;
  let isWhole = false;
  const unzip = new Unzip((file) => {
    if (file.name.endsWith("/") || file.name.startsWith("__MACOSX/")) return;
    names.push(file.name);
    if (names.length > 1) return;
    file.ondata = (error, piece, isLast) => {
      failure ??= error;
      isWhole ||= isLast;
      ready.push(piece);
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  const push = (piece: Uint8Array, isLast: boolean) => {
    try {
      unzip.push(piece, isLast);
    } catch (error) {
      failure ??= error;
    }
    if (names.includes("[Content_Types].xml")) throw new FileError(`This is a workbook. ${saveAs}`);
    if (failure !== null) throw damaged("zip", failure);
    if (names.length > 1)
      throw new FileError(`The ZIP holds several files (${names.join(", ")}). Unzip it and import each one.`);
  };
  for await (const piece of bytes) {
    push(piece, false);
    yield* ready.splice(0);
  }
  push(new Uint8Array(0), true);
  yield* ready.splice(0);
  if (!isWhole) throw damaged("zip", null);
}

/** Creates the error for a damaged file, and for one that only begins like a zip, which no CSV does. */
function damaged(kind: string, cause: unknown): FileError {
  return new FileError(
    `The ${kind} file is damaged. Download it again, or unpack it and import the UTF-8 text in it.`,
    { cause },
  );
}

async function* atMost(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > maxBytes) throw new FileError("The file is too large: it holds more than 512 MB.");
    yield piece;
  }
}

async function* decoded({ start, bytes }: StartedFile): AsyncGenerator<string> {
  const encoding = beginsWith(start, 0xff, 0xfe)
    ? "utf-16le"
    : beginsWith(start, 0xfe, 0xff)
      ? "utf-16be"
      : "utf-8";
  // The decoder drops the byte order mark.
  const strict = new TextDecoder(encoding, { fatal: true });
  const lenient = new TextDecoder(encoding);
  let before = "";
  const decode = (piece?: Uint8Array) => {
    const options = { stream: piece !== undefined };
    const readable = lenient.decode(piece, options);
    try {
      const text = strict.decode(piece, options);
      if (!text.includes("\0")) {
        before += text.replace(/[^\r\n]+/g, "");
        return text;
      }
    } catch (error) {
      throw notText(before + readable.slice(0, readable.indexOf("\uFFFD")), error);
    }
    // No text contains NUL, and the database does not store it.
    throw notText(before + readable.slice(0, readable.indexOf("\0")));
  };
  for await (const piece of bytes) yield decode(piece);
  yield decode();
}

/** @param before the text before the unreadable part, or only its line ends */
function notText(before: string, cause?: unknown): FileError {
  const line = before.split(/\r\n?|\n/).length;
  return new FileError(`Line ${line} of the file isn't UTF-8 text. ${saveAs}`, { cause });
}
