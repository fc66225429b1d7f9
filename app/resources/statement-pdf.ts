/** The statement of account as a PDF. */
import { readStatement } from "#server/books/statement.ts";
import { mostLines, statementPdf } from "#server/books/statement-pdf.ts";
import { statementView } from "#server/books/statement-view.ts";
import { supplierOf } from "#server/documents/supplier.ts";
import { DomainError } from "#server/errors.ts";
import { told } from "#server/languages/text.ts";
import { downloadLoader } from "../calls/shared/route.ts";
import { openBooks } from "../http/books.ts";
import { countAgainst, limits } from "../http/limits.ts";
import { drawnAnswer } from "../http/pdf-answer.ts";

export const loader = downloadLoader(async (request) => {
  const books = await openBooks(request);
  await countAgainst(limits.bundle, request);
  const { db, env } = request.context;
  const sections = await readStatement(db, books.owner, books.span);
  if (sections.reduce((sum, { lines }) => sum + lines.length, 0) > mostLines)
    throw new DomainError("bad_request", told("books.tooLong", { most: mostLines }));
  const view = statementView({
    ...books,
    sections,
    supplier: supplierOf(env, books.country),
    language: request.language,
  });
  return drawnAnswer(statementPdf, view, books.now);
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
