/** Comma-separated values: read in pieces, as a file that is too long for the memory comes, and written. */

/**
 * The rows of a text: fields may be quoted, and a quoted one may hold commas, line breaks and doubled quotes.
 * @param pieces of any length, cut anywhere
 */
export async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  let row: string[] = [];
  let field = "";
  let isQuoted = false;
  /** The last character was a quote inside a quoted field: its end, or the first of two. */
  let isAfterQuote = false;
  for await (const piece of pieces) {
    for (const character of piece) {
      if (isQuoted) {
        if (character === '"') isQuoted = false;
        else field += character;
        isAfterQuote = !isQuoted;
      } else if (character === '"' && isAfterQuote) {
        field += character;
        isQuoted = true;
        isAfterQuote = false;
      } else {
        isAfterQuote = false;
        if (character === '"') isQuoted = true;
        else if (character === ",") {
          row.push(field);
          field = "";
        } else if (character === "\n") {
          yield [...row, field];
          row = [];
          field = "";
        } else if (character !== "\r") field += character;
      }
    }
  }
  if (field !== "" || row.length > 0) yield [...row, field];
}

/** A field as it is written. One that a spreadsheet would take for a formula, in the wide letters of East Asia too, is text to it. */
export function csvCell(value: string): string {
  const text = /^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What a line may hold: a text, a number that is written as it is, a moment, an amount in minor units, which has two decimals, or nothing. */
export type CsvValue = string | number | Date | { minor: number } | null;

/** A line with its end. */
export function csvLine(fields: readonly CsvValue[]): string {
  return `${fields.map(written).join(",")}\r\n`;
}

function written(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value === "string") return csvCell(value);
  if (typeof value === "number") return String(value);
  return value instanceof Date ? value.toISOString() : (value.minor / 100).toFixed(2);
}
