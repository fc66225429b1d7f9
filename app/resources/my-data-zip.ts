/** A data export as a zip for its owner, streamed file by file. */
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
  // Staff who impersonate the user must not download the user's data.
  if (id === null || request.view !== null) throw notFound();
  const { name, pieces } = await openExport(request.context.db, id, { userId, now: new Date() });
  return streamedFile(pieces, {
    name,
    type: "application/zip",
    signal: request.raw.signal,
  });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
