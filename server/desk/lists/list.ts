/**
 * A Desk list as data: its filters, the cells of a page, and the columns of its file. One page renders all lists
 * (app/desk/list-page.tsx) and one writer writes their files, so that both have the same filters.
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

/** Dependencies of a list, and the member of staff who reads it. */
export interface ListContext extends Pick<Context, "db" | "env"> {
  staff: StaffSession["staff"];
  now: Date;
}

/** Cell on a page: a text, a moment, or a text with a link or a small text below. */
export type Cell =
  | string
  | { at: Date }
  | {
      text: string;
      path?: string | null;
      /** Subject of the link for screen readers, when its text is not enough. */
      of?: string;
      small?: string | null;
      /** Tone of a state; null for a plain one. Undefined for a text that is not a state. */
      tone?: StateTone;
    };

export interface ListField {
  name: string;
  label: string;
  kind: "search" | "day" | "month" | "choice";
  /** Options of a choice, in addition to "all". */
  options?: readonly { value: string; label: string }[];
}

export interface ListColumn {
  label: string;
  /** Layout of the column for long text or amounts. */
  holds?: "words" | "amount";
  /** Name in an address, for the one column by which the list can be sorted. */
  sort?: string;
}

export interface ShownListPage {
  rows: { id: string; cells: readonly Cell[] }[];
  /** The next page's `page`; null on the last. */
  next: string | null;
}

export interface DeskList {
  title: string;
  /** Description of the list in one sentence. */
  explains: string;
  /** Text for an empty list. */
  empty: string;
  columns: readonly ListColumn[];
  /** Name of its file, without ".csv". */
  fileName: string;
  fields(context: ListContext): Promise<readonly ListField[]>;
  /** Picks the filters from an address's query, unparsed, for the fields and for the links to pages and files. */
  kept(query: URLSearchParams): Record<string, string>;
  /** Null for a list with only one order. */
  order(query: URLSearchParams): ListOrder<string> | null;
  /** @throws DomainError bad_request for an invalid filter or page */
  page(context: ListContext, query: URLSearchParams): Promise<ShownListPage>;
  /**
   * Yields the whole filtered list as comma-separated values with a header line, in pieces.
   * @throws DomainError as `page` does, before the first piece
   */
  file(context: ListContext, query: URLSearchParams): AsyncGenerator<string>;
}

/** Rows, with the cursor of the next page. */
export interface RowsWithCursor<Row> {
  rows: readonly Row[];
  next: string | null;
}

/** Columns of a file by name. */
export type FileColumns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>;

interface PageOfList {
  page: string | null;
  limit: number;
  direction?: Direction;
}

const pageSize = 30;
/** Rows of a file that are read at a time. */
const fileStep = 500;
/** Largest number of rows in a file. For more, staff narrow the filter. */
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
  /** Unique key of a row. */
  id: (row: Row) => string;
  columns: readonly (ListColumn & { cell: (row: Row) => Cell })[];
  /** Columns of the file by name. */
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

/** Parses a list's filters from an address. @throws DomainError bad_request for an invalid filter */
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
 * Yields a whole list as comma-separated values with a header line, in pieces, so that other requests run between the pages that
 * are read. The last line of a truncated file says so.
 * @param read throws before the first piece for an invalid query, or not at all
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

/**
 * Reads a page through a reader of db/. @param parse parses its kind of cursor @throws DomainError bad_request for an invalid
 * cursor
 */
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

/** An empty field filters nothing. */
const given = (text: string | undefined): string | null => text?.trim() || null;

/** Search text. */
export const searchTextSchema = z
  .string()
  .max(100, "Use 100 characters or fewer.")
  .regex(/^\P{Cc}*$/u, "Remove any control characters.")
  .optional()
  .transform(given);

/** Day "2026-11-24", from 2000 to 2099. */
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

/** Month "2026-11". */
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

/** Filter by a period of whole days in the store's time zone. */
export const period = { from: day, to: day };
export const periodFields: readonly ListField[] = [
  { name: "from", label: "From", kind: "day" },
  { name: "to", label: "To (inclusive)", kind: "day" },
];

/** Converts a period to a half-open time range: `from` inclusive, `before` exclusive. */
export function toTimeRange({ from, to }: { from: string | null; to: string | null }): {
  from: Date | null;
  before: Date | null;
} {
  return {
    from: from === null ? null : startOfDay(from, standardCountry),
    before: to === null ? null : startOfDay(utcDay(daysLater(new Date(to), 1)), standardCountry),
  };
}

/** Converts labels to the options of a choice. */
export function toListOptions(labels: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
