/**
 * Keyset pagination for long lists: a page begins after the last row of the previous one, so concurrent inserts neither
 * repeat nor skip rows, and an index finds the position. Times are compared in microseconds, as PostgreSQL stores them,
 * because a Date's milliseconds would skip or repeat rows.
 */
import { type RawBuilder, sql } from "kysely";
import type { FamilyId } from "./tables/enums.ts";

/** End of a page. */
export interface Cursor {
  /** The row's time in microseconds since 1970. */
  at: number;
  /** The row's id, the tie-breaker for rows with the same time: a uuid, unless a list says otherwise. */
  id: string;
}

/** Encodes the cursor as opaque text for a URL. */
export function cursorText({ at, id }: Cursor): string {
  return Buffer.from(`${at}.${id}`).toString("base64url");
}

/** Parses cursorText's output. Null for anything else, so that it never reaches a query. */
export function parseCursor(text: string): Cursor | null {
  const found = /^(\d{1,16})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(
    Buffer.from(text.slice(0, 200), "base64url").toString("latin1"),
  );
  const [at, id] = [Number(found?.[1]), found?.[2]];
  if (id === undefined || !Number.isSafeInteger(at)) return null;
  const cursor = { at, id };
  return cursorText(cursor) === text ? cursor : null;
}

/**
 * Parses a cursor whose tie-breaker is any short text, such as the number of a document. Null for text that cursorText has not
 * written, so that it never reaches a query.
 */
export function parseTextCursor(text: string): Cursor | null {
  const [, at, id] =
    /^(\d{1,16})\.([^\p{Cc}]{1,400})$/u.exec(
      Buffer.from(text.slice(0, 1_200), "base64url").toString("utf8"),
    ) ?? [];
  if (id === undefined || !Number.isSafeInteger(Number(at))) return null;
  const cursor = { at: Number(at), id };
  return cursorText(cursor) === text ? cursor : null;
}

/** Selects a row's time for its cursor. */
export function microsecondsOf(column: string): RawBuilder<number> {
  return sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`;
}

/** Sort direction of a list. */
export type Direction = "asc" | "desc";

/** Returns the condition for the rows after a cursor, in one sort direction of (time, id). */
export function afterCursor(
  cursor: Cursor,
  columns: { at: string; id: string },
  direction: Direction,
): RawBuilder<boolean> {
  const place = sql`(${timeOf(cursor)}, ${cursor.id}::uuid)`;
  const row = sql`(${sql.ref(columns.at)}, ${sql.ref(columns.id)})`;
  return direction === "asc" ? sql<boolean>`${row} > ${place}` : sql<boolean>`${row} < ${place}`;
}

/** Returns the condition for a text tie-breaker, compared byte by byte, as its index and `order by` must be. */
export function afterTextCursor(
  cursor: Cursor,
  columns: { at: string; id: string },
  direction: Direction,
): RawBuilder<boolean> {
  const place = sql`(${timeOf(cursor)}, ${cursor.id})`;
  const row = sql`(${sql.ref(columns.at)}, ${sql.ref(columns.id)} collate "C")`;
  return direction === "asc" ? sql<boolean>`${row} > ${place}` : sql<boolean>`${row} < ${place}`;
}

const timeOf = ({ at }: Cursor) =>
  sql`timestamptz 'epoch' + ${at}::double precision * interval '1 microsecond'`;

/** A list's filters, and the page to read. */
export interface PageQuery {
  family: FamilyId | null;
  /** Prefix of an order's id or of a domain. */
  search: string | null;
  /** End of the previous page, or null for the first page. */
  after: Cursor | null;
  /** Rows per page. */
  limit: number;
}

export interface PageOfRows<Row> {
  rows: Row[];
  /** Cursor of the next page, or null on the last. */
  next: Cursor | null;
}

/** @param rows one more than fits a page, if there are that many */
export function pageOf<Row extends { at: number; id: string }>(
  rows: readonly Row[],
  limit: number,
): PageOfRows<Row> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last === undefined ? null : { at: last.at, id: last.id } };
}

/** A shorter text has no trigram. */
const leastForAnyPart = 3;

/** Returns a pattern for any part of a text, which a trigram index can match; for its beginning when the search is too short. */
export function likeAnyPart(text: string): string {
  const prefix = likePrefix(text);
  return text.length < leastForAnyPart ? prefix : `%${prefix}`;
}

/** Returns a `like` pattern for texts with this prefix, with % and _ escaped. Lower case, to compare with lower(...). */
export function likePrefix(text: string): string {
  return `${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
}
