/** Lines of comma-separated values that a spreadsheet reads as they were meant, and never as a formula. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvLine, csvRows } from "#server/csv.ts";

async function read(text: string): Promise<string[][]> {
  async function* pieces() {
    yield text;
  }
  const rows = [];
  for await (const row of csvRows(pieces())) rows.push(row);
  return rows;
}

test("what is written is read again", async () => {
  const field = fc.string().filter((text) => !/^[=+\-@\t\r]/.test(text) && !text.includes("\r"));
  await fc.assert(
    fc.asyncProperty(fc.array(field, { minLength: 2, maxLength: 5 }), async (fields) => {
      expect(await read(csvLine(fields))).toEqual([fields]);
    }),
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])("%j is no formula", (text) => {
  expect(csvLine([text])).toBe(`'${text}\r\n`);
});
