/**
 * Reading a long list page by page: a page begins after the last row of the one before, so that each row is met once however
 * many come meanwhile, and an index finds the place. Moments are compared in microseconds, as PostgreSQL keeps them: a Date
 * has milliseconds, and would skip rows or show them twice.
 */
import { type RawBuilder, sql } from "kysely";
import type { FamilyId } from "./tables/enums.ts";

/** Where a page ended. */
export interface Cursor {
  /** Microseconds since 1970 of the row's moment. */
  at: number;
  /** Its id (uuid), which decides between rows of one moment. */
  id: string;
}

/** As it stands in an address: one word, which says nothing to its reader. */
export function cursorText({ at, id }: Cursor): string {
  return Buffer.from(`${at}.${id}`).toString("base64url");
}

/** Reads what cursorText wrote; null for anything else, so that it never reaches a query. */
export function parseCursor(text: string): Cursor | null {
  const found = /^(\d{1,16})\.([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(
    Buffer.from(text.slice(0, 200), "base64url").toString("latin1"),
  );
  const [at, id] = [Number(found?.[1]), found?.[2]];
  if (id === undefined || !Number.isSafeInteger(at)) return null;
  const cursor = { at, id };
  return cursorText(cursor) === text ? cursor : null;
}

/** A row's moment for its cursor. */
export function microsecondsOf(column: string): RawBuilder<number> {
  return sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000000)::bigint`;
}

/** The rows beyond a cursor, in one direction of (moment, id). */
export function beyond(
  cursor: Cursor,
  columns: { at: string; id: string },
  direction: "asc" | "desc",
): RawBuilder<boolean> {
  const place = sql`(timestamptz 'epoch' + ${cursor.at}::double precision * interval '1 microsecond', ${cursor.id}::uuid)`;
  const row = sql`(${sql.ref(columns.at)}, ${sql.ref(columns.id)})`;
  return direction === "asc" ? sql<boolean>`${row} > ${place}` : sql<boolean>`${row} < ${place}`;
}

/** What narrows a list, and which page of it is read. */
export interface PageAsked {
  family: FamilyId | null;
  /** The beginning of an order's id or of a domain. */
  search: string | null;
  /** Where the page before ended; null for the first. */
  after: Cursor | null;
  /** Rows on a page. */
  limit: number;
}

export interface PageOfRows<Row> {
  rows: Row[];
  /** Where the next page begins; null on the last. */
  next: Cursor | null;
}

/** @param rows one more than a page holds, if there are so many */
export function pageOf<Row extends { at: number; id: string }>(
  rows: readonly Row[],
  limit: number,
): PageOfRows<Row> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last === undefined ? null : { at: last.at, id: last.id } };
}

/** What begins with this text, whatever it holds: % and _ are letters like any other. In lower case, for lower(...) like. */
export function startsWith(text: string): string {
  return `${text.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
}
