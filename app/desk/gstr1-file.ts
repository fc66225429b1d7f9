/** `/desk/gstr1/{month}/{gstin}/{file}`: a file of a return, as `npm run gstr1` writes it, or all its files as a zip. */
import { allFiles, returnFiles, zipOfReturn } from "#server/desk/gstr1.ts";
import { notFound } from "#server/foundation/errors.ts";
import { streamedFile } from "../http/streamed-file.ts";
import { isMonth } from "./month.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader(
  "gstr1File",
  async ({ context, raw }, { month = "", gstin = "", file = "" }) => {
    if (!isMonth(month)) throw notFound();
    const files = await returnFiles(context.db, { month, gstin });
    const name = `${gstin}-${month}-${file}`;
    if (file === allFiles)
      return streamedFile(zipOfReturn(files, { month, gstin, now: new Date() }), {
        name,
        type: "application/zip",
        signal: raw.signal,
      });
    const text = files.get(file);
    if (text === undefined) throw notFound();
    return new Response(text, {
      headers: {
        "Content-Type": file.endsWith(".json") ? "application/json" : "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="${name}"`,
      },
    });
  },
);

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
