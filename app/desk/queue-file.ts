/** `/desk/queue.csv`: what needs a person as a file, narrowed as the page is. */
import { queueFile } from "#server/desk/lists/files.ts";
import { isWaitingKind } from "#server/desk/waiting.ts";
import { csvFile } from "../http/streamed-file.ts";
import { deskFile } from "./door.ts";

export const loader = deskFile("queueFile", ({ context, url, raw, desk }) => {
  const asked = url.searchParams.get("kind") ?? "";
  const kind = isWaitingKind(asked) ? asked : null;
  return csvFile(queueFile(context.db, desk, kind), { name: "waiting", signal: raw.signal });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
