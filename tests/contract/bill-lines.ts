/** Microsoft's documented bill lines, which come as a file instead of a response: one line per charge and return. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { VendorBillLine } from "#db/billing/vendor-bills.ts";
import { bills } from "#server/catalogue/families/microsoft/bills.ts";

const line = z.record(z.string(), z.union([z.string(), z.number()]));
export type WrittenLine = z.infer<typeof line>;

/** Lines in the file's order: a new term, added licences, and returned ones. */
export const documentedLines: readonly WrittenLine[] = z
  .strictObject({ source: z.string().min(10), lines: z.array(line) })
  .parse(
    JSON.parse(readFileSync(path.join(import.meta.dirname, "fixtures", "bills", "microsoft.json"), "utf8")),
  ).lines;

/** Lines as our reader parses them. @throws BillError */
export async function readLines(lines: readonly unknown[]): Promise<VendorBillLine[]> {
  return bills.parse(
    (async function* () {
      yield lines.map((each) => JSON.stringify(each)).join("\n");
    })(),
  );
}

/** Fields of a line whose absence changes or breaks its parsing. */
export async function fieldsRead(written: WrittenLine): Promise<string[]> {
  const whole = JSON.stringify(await readLines([written]));
  const read: string[] = [];
  for (const name of Object.keys(written)) {
    const { [name]: _, ...rest } = written;
    const without = await readLines([rest]).then(
      (lines) => JSON.stringify(lines),
      () => null,
    );
    if (without !== whole) read.push(name);
  }
  return read;
}
