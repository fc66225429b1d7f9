/** Opens the books of who is signed in, for the time that the address asks for. */

import { type Books, booksOf } from "#server/billing/books/owner.ts";
import { type BooksPeriod, parseBooksPeriod } from "#server/billing/books/period.ts";
import { type RequestContext, requireSession } from "./request-context.ts";
import { csvFile } from "./streamed-file.ts";

/** The query that leads to the same time again. */
export type BooksPeriodQuery = { year: string } | { from: string; to: string };

export interface OpenBooks extends Books, BooksPeriod {
  query: BooksPeriodQuery;
  now: Date;
}

/** @throws a redirect to the login; DomainError bad_request for days that are none, not_found for a year without books */
export async function openBooks(request: RequestContext): Promise<OpenBooks> {
  const books = booksOf(requireSession(request));
  const now = new Date();
  const time = await parseBooksPeriod(request.context.db, books, request.url.searchParams, now);
  return { ...books, ...time, query: time.year === null ? time.days : { year: String(time.year) }, now };
}

/** A file of the books. @param name what it is, to which its days are added */
export function booksCsv(
  request: RequestContext,
  { days }: OpenBooks,
  name: string,
  pieces: AsyncGenerator<string>,
): Promise<Response> {
  const { signal } = request.raw;
  return csvFile(pieces, { name: `${name}-${days.from}-${days.to}`, signal });
}
