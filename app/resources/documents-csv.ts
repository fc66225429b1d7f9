/** Invoices and credit notes of a period as a CSV file for accounting software. */
import { documentsCsv } from "#server/billing/books/csv.ts";
import { downloadLoader } from "../api/shared/route.ts";
import { booksCsv, openBooks } from "../http/books.ts";

export const loader = downloadLoader(async (request) => {
  const books = await openBooks(request);
  return booksCsv(request, books, "documents", documentsCsv(request.context.db, books.owner, books.span));
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
