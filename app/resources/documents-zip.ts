/** PDFs of a period's invoices and credit notes as a zip, each sent as soon as it is drawn. */
import { documentsZip } from "#server/billing/books/documents.ts";
import { downloadLoader } from "../api/shared/route.ts";
import { openBooks } from "../http/books.ts";
import { enforceRateLimit, rateLimits } from "../http/rate-limits.ts";
import { streamedFile } from "../http/streamed-file.ts";

export const loader = downloadLoader(async (request) => {
  const { owner, span, days, now } = await openBooks(request);
  await enforceRateLimit(rateLimits.bundle, request);
  return streamedFile(documentsZip(request.context.db, owner, span, now), {
    name: `documents-${days.from}-${days.to}.zip`,
    type: "application/zip",
    signal: request.raw.signal,
  });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
