/** The statement of account as a file for an accountant's programs. */
import { statementCsv } from "#server/books/csv.ts";
import { fileLoader } from "../calls/shared/route.ts";
import { booksCsv, openBooks } from "../http/books.ts";

export const loader = fileLoader(async (request) => {
  const books = await openBooks(request);
  return booksCsv(request, books, "statement", statementCsv(request.context.db, books, books.span));
});
