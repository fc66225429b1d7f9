/** `/desk/orders.csv`: the orders as a file, searched as the page is. */
import { ordersFile } from "#server/desk/lists/files.ts";
import { readNarrowing } from "#server/desk/orders.ts";
import { csvFile } from "../http/streamed-file.ts";
import { deskFile } from "./door.ts";

export const loader = deskFile("ordersFile", ({ context, url, raw }) =>
  csvFile(
    ordersFile(context.db, {
      search: url.searchParams.get("search"),
      only: readNarrowing(url.searchParams.get("only")),
    }),
    { name: "orders", signal: raw.signal },
  ),
);

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
