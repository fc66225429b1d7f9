/** `/desk/staff.csv`: the staff accounts as a file. */
import { staffFile } from "#server/desk/lists/files.ts";
import { csvFile } from "../http/streamed-file.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("staffFile", ({ context, raw }) =>
  csvFile(staffFile(context.db), { name: "staff", signal: raw.signal }),
);

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
