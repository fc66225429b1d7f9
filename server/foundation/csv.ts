/** Comma-separated values: a parser that reads files in pieces, as they can exceed the memory, and a writer for spreadsheets. */
import { CsvError, type Options as ParseOptions, parse } from "csv-parse";
import { stringify, type Options as WriteOptions } from "csv-stringify/sync";
import { FileError, through } from "./file-text.ts";
import { singleLine } from "./single-line.ts";

const delimiters = [",", ";", "\t"] as const;
/** Longer than any header. */
const maxHeaderLength = 64 * 1024;

/** An unclosed quotation mark would otherwise include the rest of the file. */
const maxRowLength = 1024 * 1024;

/**
 * Yields the rows of a text, one per line: fields may be quoted, and a quoted one may contain delimiters, line breaks and doubled
 * quotes. The first line decides between commas, semicolons and tabs. A blank line is a row with one empty field.
 * @param pieces of any length, cut anywhere
 * @throws FileError for quotation marks that do not match, with the line
 */
export async function* csvRows(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  const { delimiter, text } = await withDelimiter(pieces);
  const options: ParseOptions = {
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    max_record_size: maxRowLength,
  };
  try {
    for await (const row of through(text, parse(options)))
      if (Array.isArray(row)) yield row.map((field) => singleLine(String(field)));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === "number" ? error.lines : 1;
    throw new FileError(
      `The quotation marks in line ${line} don't match. Put fields that hold one in quotation marks, and double it inside.`,
      { cause: error },
    );
  }
}

/** Drops a byte order mark and Excel's `sep=;`, which is replaced by a blank line, so that lines keep their numbers. */
async function withDelimiter(
  pieces: AsyncIterable<string>,
): Promise<{ delimiter: string; text: AsyncIterable<string> }> {
  const rest = pieces[Symbol.asyncIterator]();
  let read = "";
  while (read.length < maxHeaderLength && !/\S[^\r\n]*[\r\n]/.test(read.replace(declared, "$2"))) {
    const { done, value } = await rest.next();
    if (done === true) break;
    read += value;
  }
  read = read.replace(/^\uFEFF/, "");
  const [, sign] = declared.exec(read) ?? [];
  const first = read.replace(declared, "$2");
  async function* text() {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { delimiter: sign ?? delimiterOf(first), text: text() };
}

const declared = /^\uFEFF?"?sep=(.)"?([\r\n])/i;

/** Returns the delimiter of the first line that is not blank. */
function delimiterOf(text: string): string {
  const [header = ""] = /[^\r\n]*\S[^\r\n]*/.exec(text) ?? [];
  const outside = header.replaceAll(/"[^"]*"/g, "");
  const count = (sign: string) => outside.split(sign).length;
  return delimiters.reduce((most, sign) => (count(sign) > count(most) ? sign : most));
}

/** A row with its cells by title. */
export interface TableRow<Title extends string> {
  /** Counts from 1 and includes the header and blank lines, as a spreadsheet does. */
  line: number;
  /** Returns "" if the file has no such column. */
  cell(title: Title): string;
}

export interface Table<Title extends string> {
  /** Name of the table in messages: "price sheet". */
  name: string;
  /** Titles are compared without case, spaces and punctuation. */
  titles: readonly Title[];
  /** Throws for an unsuitable header. */
  check(header: TableHeader<Title>): void;
}

export interface TableHeader<Title extends string> {
  missing: Title[];
  repeated: Title[];
  /** Unknown titles, spelt as in the file. */
  unknown: string[];
}

/**
 * Yields the rows of a table, without blank ones. Ignores empty columns and cells at the end.
 * @throws FileError for a text without a header, and for a value under no title, with its place
 */
export async function* readTable<Title extends string>(
  pieces: AsyncIterable<string>,
  { name, titles, check }: Table<Title>,
): AsyncGenerator<TableRow<Title>> {
  let header: readonly string[] | null = null;
  let line = 0;
  const places = new Map<Title, number>();
  for await (const cells of csvRows(pieces)) {
    line += 1;
    if (cells.every((cell) => cell === "")) continue;
    if (header === null) {
      header = cells.map(titleKey);
      for (const title of titles) places.set(title, header.indexOf(titleKey(title)));
      check(headerOf(cells, titles));
      continue;
    }
    const titled = header;
    const stray = cells.findIndex((cell, index) => cell !== "" && (titled[index] ?? "") === "");
    if (stray !== -1)
      throw new FileError(
        `Line ${line} of the ${name} has "${cells[stray]}" in column ${stray + 1}, which has no title. Add a title, or empty the cell.`,
      );
    yield { line, cell: (title) => cells[places.get(title) ?? -1] ?? "" };
  }
  if (header === null) throw new FileError(`The ${name} is empty.`);
}

function headerOf<Title extends string>(
  written: readonly string[],
  titles: readonly Title[],
): TableHeader<Title> {
  const count = (title: Title) => written.filter((one) => titleKey(one) === titleKey(title)).length;
  const known = new Set(titles.map(titleKey));
  return {
    missing: titles.filter((title) => count(title) === 0),
    repeated: titles.filter((title) => count(title) > 1),
    unknown: written.filter((one) => titleKey(one) !== "" && !known.has(titleKey(one))),
  };
}

const titleKey = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Value of a field: a text, a number as it is, a moment, an amount in minor units, which is written with two decimals, or
 * nothing.
 */
export type CsvValue = string | number | Date | { minor: number } | null;

const writing: WriteOptions = {
  record_delimiter: "windows",
  // Escapes text that a spreadsheet would take for a formula, including East Asian full-width characters.
  escape_formulas: true,
  // Otherwise a reader that detects the delimiter might split a text into several fields.
  quoted_match: /;|.\t/,
  cast: {
    date: (moment) => moment.toISOString(),
    object: ({ minor }) => {
      const value = (Number(minor) / 100).toFixed(2);
      return Number(minor) < 0 ? { value, escape_formulas: false } : value;
    },
  },
};

/** Formats a line with its line break. */
export function csvLine(fields: readonly CsvValue[]): string {
  return stringify([[...fields]], writing);
}

/**
 * Formats the first line of a file. It begins with a byte order mark, without which Excel reads the rupee sign as three other
 * letters.
 */
export function csvHeader(titles: readonly string[]): string {
  return `\uFEFF${csvLine(titles)}`;
}
