/**
 * A list of the desk as data: what narrows it, what a page of it shows, and what its file says of each row. One page shows them all
 * (app/desk/list-page.tsx) and one writer writes their files, so that each list has the same filters in both.
 */
import { z } from "zod";
import { type Cursor, cursorText, type Direction, type PageOfRows } from "#db/keyset.ts";
import { daysLater, utcDay } from "#server/billing/reconciliation/days.ts";
import { standardCountry } from "#server/foundation/countries/registry.ts";
import { type CsvValue, csvHeader, csvLine } from "#server/foundation/csv.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type ListOrder, parseListOrder } from "#server/foundation/list-paging.ts";
import { isDay, startOfDay } from "#server/orders/subscriptions/dates.ts";
import type { Context } from "#server/platform/context.ts";
import type { StateTone } from "../labels.ts";
import type { StaffSession } from "../sessions.ts";

/** What a list needs of the process, and who looks at it. */
export interface ListContext extends Pick<Context, "db" | "env"> {
  staff: StaffSession["staff"];
  now: Date;
}

/** A value of a row as a page shows it: a text, a moment, or a text that leads somewhere or has a small one below. */
export type Cell =
  | string
  | { at: Date }
  | {
      text: string;
      path?: string | null;
      /** Of what the link is, where its text alone does not say it. */
      of?: string;
      small?: string | null;
      /** The look of a state; null for a plain one. Undefined for a text that is not a state. */
      tone?: StateTone;
    };

export interface ListField {
  name: string;
  label: string;
  kind: "search" | "day" | "month" | "choice";
  /** Of a choice, beside the one for all. */
  options?: readonly { value: string; label: string }[];
}

export interface ListColumn {
  label: string;
  /** Long words, which decide its layout. */
  holds?: "words" | "amount";
  /** Its name in an address, for the one column that the list can be sorted by. */
  sort?: string;
}

export interface ShownListPage {
  rows: { id: string; cells: readonly Cell[] }[];
  /** The next page's `page`; null on the last. */
  next: string | null;
}

export interface DeskList {
  title: string;
  /** What is in it, in a sentence. */
  explains: string;
  /** What it says while nothing is in it. */
  empty: string;
  columns: readonly ListColumn[];
  /** How its file is called, without ".csv". */
  fileName: string;
  fields(context: ListContext): Promise<readonly ListField[]>;
  /** What of an address narrows it, as it was given: for the fields, and for the links to pages and files. */
  kept(query: URLSearchParams): Record<string, string>;
  /** Null for a list that has one order. */
  order(query: URLSearchParams): ListOrder<string> | null;
  /** @throws DomainError bad_request for a filter or a page that there is not */
  page(context: ListContext, query: URLSearchParams): Promise<ShownListPage>;
  /**
   * The whole of it, narrowed alike, as comma-separated values with a line of names first, in pieces.
   * @throws DomainError as `page` does, before the first piece
   */
  file(context: ListContext, query: URLSearchParams): AsyncGenerator<string>;
}

/** Rows with where the next page begins. */
export interface RowsWithCursor<Row> {
  rows: readonly Row[];
  next: string | null;
}

/** The columns of a file by their names. */
export type FileColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;

interface PageOfList {
  page: string | null;
  limit: number;
  direction?: Direction;
}

const pageSize = 30;
/** Rows of a file that are read at a time. */
const fileStep = 500;
/** The most of a file: who needs more asks for a narrower one. */
const maxFileRows = 100_000;

export function defineList<Filter extends z.ZodObject, Row>(definition: {
  title: string;
  explains: string;
  empty: string;
  fileName: string;
  filter: Filter;
  fields: readonly ListField[] | ((context: ListContext) => Promise<readonly ListField[]>);
  /** @param asked.page the `next` of the page before; null for the first @param asked.direction left out for the usual one */
  read: (context: ListContext, filter: z.output<Filter>, query: PageOfList) => Promise<RowsWithCursor<Row>>;
  /** Of a row, unlike any other's. */
  id: (row: Row) => string;
  columns: readonly (ListColumn & { cell: (row: Row) => Cell })[];
  /** The file's columns, by their names. */
  file: FileColumns<Row>;
}): DeskList {
  const { title, explains, empty, fileName, filter, fields, read, id, columns, file } = definition;
  const sortable = columns.find(({ sort }) => sort !== undefined)?.sort;
  const order = (query: URLSearchParams) =>
    sortable === undefined ? null : parseListOrder([sortable], query.get("sort"));
  return {
    title,
    explains,
    empty,
    columns,
    fileName,
    fields: async (context) => (typeof fields === "function" ? fields(context) : fields),
    kept: (query) =>
      Object.fromEntries([...query].filter(([name, value]) => name in filter.shape && value.trim() !== "")),
    order,
    async page(context, query) {
      const direction = order(query)?.direction;
      const { rows, next } = await read(context, parseListFilter(filter, query), {
        page: query.get("page"),
        limit: pageSize,
        ...(direction !== undefined && { direction }),
      });
      return {
        rows: rows.map((row) => ({ id: id(row), cells: columns.map(({ cell }) => cell(row)) })),
        next,
      };
    },
    file: (context, query) =>
      csvOf((listQuery) => read(context, parseListFilter(filter, query), listQuery), file),
  };
}

/** What an address narrows a list by. @throws DomainError bad_request for what narrows nothing */
export function parseListFilter<Filter extends z.ZodObject>(
  filter: Filter,
  query: URLSearchParams,
): z.output<Filter> {
  const parsed = filter.safeParse(Object.fromEntries(query));
  if (!parsed.success)
    throw new DomainError("bad_request", parsed.error.issues.map(({ message }) => message).join(" "));
  return parsed.data;
}

/**
 * A whole list as comma-separated values with a line of names first, in pieces, so that other requests have their turn between the
 * pages that are read. One that is longer than a file may be says so in its last line.
 * @param read throws before the first piece, or not for what was asked
 */
export async function* csvOf<Row>(
  read: (query: { page: string | null; limit: number }) => Promise<RowsWithCursor<Row>>,
  columns: FileColumns<Row>,
): AsyncGenerator<string> {
  const values = Object.values(columns);
  let written = 0;
  let page: string | null = null;
  let text = csvHeader(Object.keys(columns));
  do {
    const { rows, next }: RowsWithCursor<Row> = await read({ page, limit: fileStep });
    for (const row of rows) text += csvLine(values.map((value) => value(row)));
    yield text;
    text = "";
    written += rows.length;
    page = next;
  } while (page !== null && written < maxFileRows);
  if (page !== null)
    yield csvLine([`This file stops at ${maxFileRows} lines. Narrow the list to get the rest.`]);
}

/** A page as a reader of db/ gives it. @param parse the kind of cursor it takes @throws DomainError bad_request for no cursor */
export async function keysetRows<Row>(
  parse: (text: string) => Cursor | null,
  { page, ...place }: PageOfList,
  read: (query: { after: Cursor | null } & Omit<PageOfList, "page">) => Promise<PageOfRows<Row>>,
): Promise<RowsWithCursor<Row>> {
  const after = page === null ? null : parse(page);
  if (page !== null && after === null)
    throw new DomainError("bad_request", "That page of the list doesn't exist.");
  const { rows, next } = await read({ after, ...place });
  return { rows, next: next === null ? null : cursorText(next) };
}

/** An empty field narrows nothing. */
const given = (text: string | undefined): string | null => text?.trim() || null;

/** A text to be found. */
export const searchTextSchema = z
  .string()
  .max(100, "Use 100 characters or fewer.")
  .regex(/^\P{Cc}*$/u, "Remove any control characters.")
  .optional()
  .transform(given);

/** "2026-11-24", from 2000 to 2099. */
export const day = z
  .string()
  .optional()
  .transform(given)
  .pipe(
    z.iso
      .date({ error: "Enter a date such as 2026-11-24.", abort: true })
      .refine(isDay, "Enter a date in this century.")
      .nullable(),
  );

/** "2026-11" */
export const month = z
  .string()
  .optional()
  .transform(given)
  .pipe(
    z
      .string()
      .regex(/^20\d\d-(0[1-9]|1[0-2])$/, "Enter a month such as 2026-11.")
      .nullable(),
  );

export function oneOf<const Value extends string>(values: readonly Value[]) {
  return z.string().optional().transform(given).pipe(z.enum(values, "Choose one of the options.").nullable());
}

/** The fields and the filter of a time, by whole days of the store's zone. */
export const period = { from: day, to: day };
export const periodFields: readonly ListField[] = [
  { name: "from", label: "From", kind: "day" },
  { name: "to", label: "To (inclusive)", kind: "day" },
];

/** A time as its beginning and its end, which is not part of it. */
export function toTimeRange({ from, to }: { from: string | null; to: string | null }): {
  from: Date | null;
  before: Date | null;
} {
  return {
    from: from === null ? null : startOfDay(from, standardCountry),
    before: to === null ? null : startOfDay(utcDay(daysLater(new Date(to), 1)), standardCountry),
  };
}

/** The options of a choice, from its words. */
export function toListOptions(labels: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
