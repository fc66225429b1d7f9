/** The invoices and credit notes of a time as a file for an accountant's programs. */
import { documentsCsv } from "#server/billing/books/csv.ts";
import { downloadLoader } from "../api/shared/route.ts";
import { booksCsv, openBooks } from "../http/books.ts";

export const loader = downloadLoader(async (request) => {
  const books = await openBooks(request);
  return booksCsv(request, books, "documents", documentsCsv(request.context.db, books.owner, books.span));
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
