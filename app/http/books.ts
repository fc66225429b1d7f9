/** Opens the books of the signed-in user's company, for the period in the URL. */

import { type Books, booksOf } from "#server/billing/books/owner.ts";
import { type BooksPeriod, parseBooksPeriod } from "#server/billing/books/period.ts";
import { type RequestContext, requireSession } from "./request-context.ts";
import { csvFile } from "./streamed-file.ts";

/** Query parameters for the same period. */
export type BooksPeriodQuery = { year: string } | { from: string; to: string };

export interface OpenBooks extends Books, BooksPeriod {
  query: BooksPeriodQuery;
  now: Date;
}

/** @throws a redirect to the login; DomainError bad_request for invalid dates; not_found for a year without books */
export async function openBooks(request: RequestContext): Promise<OpenBooks> {
  const books = booksOf(requireSession(request));
  const now = new Date();
  const time = await parseBooksPeriod(request.context.db, books, request.url.searchParams, now);
  return { ...books, ...time, query: time.year === null ? time.days : { year: String(time.year) }, now };
}

/** CSV response of the books. @param name base name of the file; the period is appended */
export function booksCsv(
  request: RequestContext,
  { days }: OpenBooks,
  name: string,
  pieces: AsyncGenerator<string>,
): Promise<Response> {
  const { signal } = request.raw;
  return csvFile(pieces, { name: `${name}-${days.from}-${days.to}`, signal });
}
