/** `/desk/audit.csv`: the audit log as a file, with the filter of its page. */
import { auditFile } from "#server/desk/audit.ts";
import { auditFilter } from "./audit-query.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("auditFile", async ({ context, url }) => {
  const csv = await auditFile(context.db, auditFilter(url));
  return new Response(csv, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="audit.csv"',
    },
  });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
