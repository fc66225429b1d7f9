/** A zip that streams while its files are created contains them complete and in order, and other programs can read it. */
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { type FileInZip, zipOf } from "#server/foundation/zip.ts";

const at = new Date("2026-11-24T09:00:00Z");
const bytesOf = (text: string) => new TextEncoder().encode(text);

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

test("preserves the names and bytes of files, an empty one too", async () => {
  const given = new Map([
    ["a.txt", bytesOf("one")],
    ["folder/ß.bin", new Uint8Array(100_000).fill(7)],
    ["empty", new Uint8Array()],
  ]);
  async function* files() {
    for (const [name, bytes] of given) yield { name, at, bytes };
  }
  const read = Object.entries(unzipSync(await whole(zipOf(files()))));
  const plain = (entries: Iterable<[string, Uint8Array]>) =>
    [...entries].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]);
  expect(plain(read)).toEqual(plain(given));
});

test("emits a file before the next one is created", async () => {
  const made: string[] = [];
  async function* files(): AsyncGenerator<FileInZip> {
    for (const name of ["first", "second"]) {
      made.push(name);
      yield { name, at, bytes: bytesOf(name) };
    }
  }
  const pieces = zipOf(files());
  await pieces.next();
  expect(made).toEqual(["first"]);
  await pieces.return(undefined);
  expect(made).toEqual(["first"]);
});

test("ends with the error of a file that cannot be created", async () => {
  async function* files(): AsyncGenerator<FileInZip> {
    yield { name: "first", at, bytes: bytesOf("one") };
    throw new Error("no second");
  }
  await expect(whole(zipOf(files()))).rejects.toThrow("no second");
});
