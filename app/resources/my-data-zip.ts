/** An export of data as a zip, for who asked for it, file by file as it is sent. */
import { type DataExportId, parseId } from "#db/ids.ts";
import { notFound } from "#server/foundation/errors.ts";
import { openExport } from "#server/privacy/export.ts";
import { downloadLoader, requireParams } from "../api/shared/route.ts";
import { requireSession } from "../http/request-context.ts";
import { streamedFile } from "../http/streamed-file.ts";
import { exportIdParams } from "../params.ts";

export const loader = downloadLoader(async (request, params) => {
  const { userId } = requireSession(request);
  const id = parseId<DataExportId>(requireParams(exportIdParams, params).exportId);
  // A look at the store as its user is no look at all they have.
  if (id === null || request.view !== null) throw notFound();
  const { name, pieces } = await openExport(request.context.db, id, { userId, now: new Date() });
  return streamedFile(pieces, {
    name,
    type: "application/zip",
    signal: request.raw.signal,
  });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
