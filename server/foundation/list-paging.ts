/** Shared parts of all long lists: filters by service or search, and paging. */
import { cursorText, type Direction, type PageOfRows, type PageQuery, parseCursor } from "#db/keyset.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import { DomainError } from "./errors.ts";
import { msg } from "./languages/text.ts";

/** Default number of rows per page. */
const pageSize = 20;
const maxRows = 200;
const maxSearchLength = 100;

/** Query of a list from a page or an API call. Fields left out do not filter. */
export interface ListQuery {
  family?: FamilyId | undefined;
  /** Number of an order, or the prefix of its id or of a domain, ignoring case. */
  search?: string | undefined;
  /** The `nextPage` of the previous page. */
  page?: string | undefined;
  /** 1 to 200 rows, 20 by default. */
  limit?: number | undefined;
}

export interface ListPage<Row> {
  rows: Row[];
  /** Opaque; null on the last page. */
  nextPage: string | null;
}

/** Sort order of a list: a column and a direction. */
export interface ListOrder<Column extends string> {
  by: Column;
  direction: Direction;
}

/** Parses "name" as ascending and "-name" as descending. Anything else is descending by the first column. */
export function parseListOrder<Column extends string>(
  columns: readonly [Column, ...Column[]],
  text: string | null | undefined,
): ListOrder<Column> {
  const rising = columns.find((each) => text === each);
  if (rising !== undefined) return { by: rising, direction: "asc" };
  return { by: columns.find((each) => text === `-${each}`) ?? columns[0], direction: "desc" };
}

/** @throws DomainError bad_request for an invalid search or page */
export function parsePageQuery({ family, search = "", page, limit = pageSize }: ListQuery): PageQuery {
  const text = search.trim();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters
  if (text.length > maxSearchLength || /[\u0000-\u001f\u007f]/.test(text)) {
    throw new DomainError("bad_request", msg("lists.searchHow", { most: maxSearchLength }));
  }
  const after = page === undefined ? null : parseCursor(page);
  if (page !== undefined && after === null) {
    throw new DomainError("bad_request", msg("lists.noSuchPage"));
  }
  return {
    family: family ?? null,
    search: text === "" ? null : text,
    after,
    limit: Math.min(Math.max(1, limit), maxRows),
  };
}

export function listPage<Row>({ rows, next }: PageOfRows<Row>): ListPage<Row> {
  return { rows, nextPage: next === null ? null : cursorText(next) };
}
