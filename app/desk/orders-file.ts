/** `/desk/orders.csv`: the orders as a file, with the search of their page. */
import { ordersFile } from "#server/desk/lists/files.ts";
import { parseOrderFilter } from "#server/desk/orders.ts";
import { csvFile } from "../http/streamed-file.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("ordersFile", ({ context, url, raw }) =>
  csvFile(
    ordersFile(context.db, {
      search: url.searchParams.get("search"),
      only: parseOrderFilter(url.searchParams.get("only")),
    }),
    { name: "orders", signal: raw.signal },
  ),
);

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
