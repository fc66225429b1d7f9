/** `/desk/queue.csv`: the work queue as a file, with the filter of its page. */
import { queueFile } from "#server/desk/lists/files.ts";
import { isWorkItemKind } from "#server/desk/work-queue.ts";
import { csvFile } from "../http/streamed-file.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("queueFile", ({ context, url, raw, desk }) => {
  const requested = url.searchParams.get("kind") ?? "";
  const kind = isWorkItemKind(requested) ? requested : null;
  return csvFile(queueFile(context.db, desk, kind), { name: "waiting", signal: raw.signal });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
