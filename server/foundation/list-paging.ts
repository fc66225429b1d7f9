/** What all long lists share: filters by service or search, and paging. */
import { cursorText, type Direction, type PageOfRows, type PageQuery, parseCursor } from "#db/keyset.ts";
import type { FamilyId } from "#db/tables/enums.ts";
import { DomainError } from "./errors.ts";
import { msg } from "./languages/text.ts";

/** Rows per page, unless a caller asks for another number. */
const pageSize = 20;
const maxRows = 200;
const maxSearchLength = 100;

/** The query of a list from a page or a call. Fields left out do not filter. */
export interface ListQuery {
  family?: FamilyId | undefined;
  /** An order's number, or the prefix of its id or of a domain, ignoring case. */
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

/** A list's order: a column, and the direction from its first row to its last. */
export interface ListOrder<Column extends string> {
  by: Column;
  direction: Direction;
}

/** Reads "name" as rising and "-name" as falling. Anything else is the order of the first column, falling. */
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
