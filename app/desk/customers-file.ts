/** `/desk/customers.csv`: the companies that match a search, as a file. */
import { customersFile } from "#server/desk/customers.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("customersFile", async ({ context, url }) => {
  const csv = await customersFile(context.db, url.searchParams.get("search"));
  return new Response(csv, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="customers.csv"',
    },
  });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
