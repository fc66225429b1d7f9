/** The statement of account as a CSV file for accounting software. */
import { statementCsv } from "#server/billing/books/csv.ts";
import { downloadLoader } from "../api/shared/route.ts";
import { booksCsv, openBooks } from "../http/books.ts";

export const loader = downloadLoader(async (request) => {
  const books = await openBooks(request);
  return booksCsv(request, books, "statement", statementCsv(request.context.db, books, books.span));
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
