/** `/desk/documents.zip`: PDFs of the documents, with the filter of their page, each sent as soon as it is drawn. */

import { streamDocumentZip } from "#server/billing/documents/document-zip.ts";
import { listForZip } from "#server/desk/lists/documents.ts";
import { streamedFile } from "../http/streamed-file.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("documentsZip", async ({ context: { db }, url, raw }) => {
  const documents = await listForZip(db, url.searchParams);
  return streamedFile(streamDocumentZip(db, documents, new Date()), {
    name: "documents.zip",
    type: "application/zip",
    signal: raw.signal,
  });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
