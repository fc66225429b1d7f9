/** CSV lines that a spreadsheet reads with the intended types and never as a formula. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvHeader, csvLine, csvRows, readTable } from "#server/foundation/csv.ts";
import { FileError } from "#server/foundation/file-text.ts";
import { singleLine } from "#server/foundation/single-line.ts";

async function read(text: string): Promise<string[][]> {
  async function* pieces() {
    yield text;
  }
  const rows = [];
  for await (const row of csvRows(pieces())) rows.push(row);
  return rows;
}

test("reads back written fields, each folded to one line", async () => {
  const field = fc.string().filter((text) => !/^[=+\-@\t\r＝＋－＠]/.test(text) && !text.includes("\r"));
  await fc.assert(
    fc.asyncProperty(fc.array(field, { minLength: 2, maxLength: 5 }), async (fields) => {
      expect(await read(csvLine(fields))).toEqual([fields.map(singleLine)]);
    }),
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1+1", "＋1", "－1", "＠SUM(A1)"])(
  "keeps %j from being a formula",
  (text) => {
    expect(csvLine([text])).toBe(`'${text}\r\n`);
  },
);

test("writes numbers, amounts and times as values, negative ones too", () => {
  const at = new Date("2026-11-24T09:00:00Z");
  expect(csvLine([3, { minor: -12_345 }, { minor: 500 }, at, null, "x"])).toBe(
    "3,-123.45,5.00,2026-11-24T09:00:00.000Z,,x\r\n",
  );
});

test("starts a header with a byte order mark", () => {
  expect(csvHeader(["price ₹"])).toBe("\uFEFFprice ₹\r\n");
  expect([...new TextEncoder().encode(csvHeader(["x"])).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
});

describe("a table", () => {
  const rows = [
    ["item", "price", "name"],
    ["a", "1,5", "Basic; for\tall"],
    ["b", "2", 'The "best"'],
  ];
  const written = (delimiter: string, end: string, more = "") =>
    rows
      .map((row) => row.map((cell) => (/[,;\t"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)))
      .map((row) => row.join(delimiter) + more)
      .join(end);
  async function table(text: string, size = text.length || 1) {
    async function* pieces() {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
    }
    const found = [];
    const titles = ["item", "price"] as const;
    for await (const { line, cell } of readTable(pieces(), { name: "list", titles, check: () => {} }))
      found.push({ line, item: cell("item"), price: cell("price") });
    return found;
  }

  test.each([
    ["commas and CRLF", written(",", "\r\n"), 2],
    ["semicolons and LF", written(";", "\n"), 2],
    ["tabs and CR only", written("\t", "\r"), 2],
    ["a mark", `\uFEFF${written(";", "\r\n")}`, 2],
    ["sep=;", `sep=;\r\n${written(";", "\r\n")}`, 3],
    ["a mark and sep= in quotes", `\uFEFF"sep=\t"\n${written("\t", "\n")}`, 3],
    ["sep=| as an unusual delimiter", `sep=|\n${written("|", "\n")}`, 3],
    ["empty columns at the end", written(",", "\n", ",,"), 2],
    ["empty columns of semicolons", written(";", "\r", ";;;"), 2],
    ["a row of delimiters at the end", `${written(",", "\n")}\n,,,,,,\n\n`, 2],
    ["blank lines before the header", `\n\n${written("\t", "\n")}`, 4],
  ])("reads the same rows with %s, in chunks of any size", async (_what, text, line) => {
    for (const size of [1, 4, 1_000])
      expect(await table(text, size)).toEqual([
        { line, item: "a", price: "1,5" },
        { line: line + 1, item: "b", price: "2" },
      ]);
  });

  test.each([
    [
      "a value under an empty title",
      "item,price,,\na,1,,stray",
      /^Line 2 of the list has "stray" in column 4/,
    ],
    ["more values than titles", "item,price\na,1\nb,1,644", /^Line 3 of the list has "644" in column 3/],
    [
      "a quotation mark that is never closed",
      'item,price\na,"1\nb,2\n',
      /quotation marks in line \d don't match/,
    ],
    ["a quotation mark in the middle", 'item,price\na,1\nb,5" disk', /quotation marks in line 3 don't match/],
    ["nothing", "", /^The list is empty\.$/],
    ["only blank lines", "\n\r\n,,,\n", /^The list is empty\.$/],
  ])("refuses %s", async (_what, text, why) => {
    await expect(table(text)).rejects.toThrow(why);
    await expect(table(text)).rejects.toBeInstanceOf(FileError);
  });

  test("reads back written cells, whatever characters they contain", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", ";", ",", "\t", '"', "₹", " ") });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, text)), async (cells) => {
        const file = csvHeader(["item", "price"]) + cells.map((row) => csvLine(row)).join("");
        const plain = cells.map((row) =>
          row.map((cell) => singleLine(cell.startsWith("\t") ? `'${cell}` : cell)),
        );
        const found = plain.filter((row) => row.some((cell) => cell !== ""));
        expect((await table(file)).map(({ item, price }) => [item, price])).toEqual(found);
      }),
    );
  });
});
