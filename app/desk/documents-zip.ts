/** `/desk/documents.zip`: the PDFs of the documents, narrowed as the page is, sent one by one as they are drawn. */

import { documentsForBundle } from "#server/desk/lists/documents.ts";
import { documentBundle } from "#server/documents/bundle.ts";
import { streamedFile } from "../http/streamed-file.ts";
import { deskFile } from "./door.ts";

export const loader = deskFile("documentsZip", async ({ context: { db }, url, raw }) => {
  const documents = await documentsForBundle(db, url.searchParams);
  return streamedFile(documentBundle(db, documents, new Date()), {
    name: "documents.zip",
    type: "application/zip",
    signal: raw.signal,
  });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
