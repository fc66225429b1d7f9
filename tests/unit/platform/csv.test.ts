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
  const field = fc.string().filter((text) => !/^[=+\-@\t\r＝＋－＠]/.test(text) && !text.includes("\r"));
  await fc.assert(
    fc.asyncProperty(fc.array(field, { minLength: 2, maxLength: 5 }), async (fields) => {
      expect(await read(csvLine(fields))).toEqual([fields]);
    }),
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1+1", "＋1", "－1", "＠SUM(A1)"])(
  "%j is no formula",
  (text) => {
    expect(csvLine([text])).toBe(`'${text}\r\n`);
  },
);

test("numbers, amounts and moments are values to a spreadsheet, also below nothing", () => {
  const at = new Date("2026-11-24T09:00:00Z");
  expect(csvLine([3, { minor: -12_345 }, { minor: 500 }, at, null, "x"])).toBe(
    "3,-123.45,5.00,2026-11-24T09:00:00.000Z,,x\r\n",
  );
});
