/** The statement of account as a PDF. */
import { readStatement } from "#server/billing/books/statement.ts";
import { maxStatementLines, statementPdf } from "#server/billing/books/statement-pdf.ts";
import { statementView } from "#server/billing/books/statement-view.ts";
import { supplierOf } from "#server/billing/documents/supplier.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { downloadLoader } from "../api/shared/route.ts";
import { openBooks } from "../http/books.ts";
import { pdfResponse } from "../http/pdf-response.ts";
import { enforceRateLimit, rateLimits } from "../http/rate-limits.ts";

export const loader = downloadLoader(async (request) => {
  const books = await openBooks(request);
  await enforceRateLimit(rateLimits.bundle, request);
  const { db, env } = request.context;
  const sections = await readStatement(db, books.owner, books.span);
  if (sections.reduce((sum, { lines }) => sum + lines.length, 0) > maxStatementLines)
    throw new DomainError("bad_request", msg("books.tooLong", { most: maxStatementLines }));
  const view = statementView({
    ...books,
    sections,
    supplier: supplierOf(env, books.country),
    language: request.language,
  });
  return pdfResponse(request, statementPdf, view, books.now);
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
