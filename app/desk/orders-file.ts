/** `/desk/orders.csv`: the orders as a file, searched as the page is. */
import { ordersFile } from "#server/desk/lists/files.ts";
import { deskFile } from "./door.ts";
import { csvFile } from "./streamed-file.ts";

export const loader = deskFile("ordersFile", ({ context, url, raw }) =>
  csvFile(ordersFile(context.db, url.searchParams.get("search")), { name: "orders", signal: raw.signal }),
);
