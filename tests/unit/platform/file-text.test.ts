/** Files from vendors and spreadsheet programs: decoded from every packing and chunk size, or refused with advice. */
import { gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { FileError, fileText } from "#server/foundation/file-text.ts";

const text = "item;₹\r\nप्रिया राव;1644\r\n";
const mark = "\uFEFF";
const utf8 = (written: string) => new Uint8Array(Buffer.from(written));
const utf16 = (written: string) => new Uint8Array(Buffer.from(written, "utf16le"));
const swapped = (written: string) => new Uint8Array(Buffer.from(written, "utf16le").swap16());

async function read(bytes: Uint8Array, size = 3): Promise<string> {
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  let whole = "";
  for await (const piece of fileText(pieces())) whole += piece;
  return whole;
}

describe("a file", () => {
  test.each([
    ["UTF-8", utf8(text)],
    ["UTF-8 with a mark", utf8(mark + text)],
    ["UTF-16 with a mark", utf16(mark + text)],
    ["UTF-16 of the other order with a mark", swapped(mark + text)],
    ["a gzip", gzipSync(utf8(text))],
    ["a gzip of UTF-16", gzipSync(utf16(mark + text))],
    ["a zip", zipSync({ "recon.csv": utf8(mark + text) })],
    ["a zip that is only stored", zipSync({ "recon.csv": utf8(text) }, { level: 0 })],
    ["a zip made on a Mac", zipSync({ "a.csv": utf8(text), "__MACOSX/._a.csv": utf8("x") })],
    ["a zip of a folder", zipSync({ "bills/": new Uint8Array(0), "bills/a.csv": utf8(text) })],
  ])("reads %s in chunks of any size", async (_what, bytes) => {
    for (const size of [1, 3, 1_000]) expect(await read(bytes, size)).toBe(text);
  });

  test.each([
    [
      "Windows-1252",
      new Uint8Array(Buffer.from("item\nb\nCaf\xe9", "latin1")),
      /^Line 3 of the file isn't UTF-8/,
    ],
    [
      "the code page of an old Mac",
      new Uint8Array(Buffer.from("item\rb\rCaf\x8e", "latin1")),
      /^Line 3 of the file/,
    ],
    ["another code page", new Uint8Array([0x61, 0x0a, 0xc7, 0xe8, 0x0a]), /^Line 2 of the file isn't UTF-8/],
    ["UTF-16 without a mark", utf16("a\nb"), /^Line 1 of the file isn't UTF-8 text\. In Excel, save it as/],
    ["a NUL in the last line", utf8("a\nb\0"), /^Line 2 of the file/],
    ["half a character at its end", utf8("a\n₹").subarray(0, -1), /^Line 2 of the file/],
    ["a workbook", zipSync({ "[Content_Types].xml": strToU8("<Types/>") }), /workbook.*CSV UTF-8/],
    ["an old workbook", new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /Excel workbook.*CSV UTF-8/],
    [
      "a zip of two files",
      zipSync({ "a.csv": utf8("a"), "b.csv": utf8("b") }),
      /a\.csv, b\.csv\)\. Unzip it/,
    ],
    [
      "half a zip",
      zipSync({ "a.csv": utf8(text.repeat(99)) }).subarray(0, 60),
      /zip file is damaged\. Download it/,
    ],
    ["an empty zip", zipSync({}), /zip file is damaged/],
    ["half a gzip", gzipSync(utf8(text.repeat(99))).subarray(0, 40), /gzip file is damaged\. Download it/],
  ])("refuses %s", async (_what, bytes, why) => {
    for (const size of [1, 1_000]) {
      await expect(read(bytes, size)).rejects.toThrow(why);
      await expect(read(bytes, size)).rejects.toBeInstanceOf(FileError);
    }
  });

  test("reads an empty file as empty text", async () => {
    expect(await read(new Uint8Array(0))).toBe("");
  });

  test("passes on the error of its source", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield utf8("some text");
      throw new RangeError("The disk is gone");
    }
    const reading = async () => {
      for await (const _piece of fileText(failing()));
    };
    await expect(reading()).rejects.toThrow("The disk is gone");
  });
});
