/** `/desk/prices.csv`: the current prices as a price list, to edit and import. */
import { exportPrices } from "#server/desk/price-lists/lists.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("pricesFile", async ({ context }) => {
  const csv = await exportPrices(context.db, new Date());
  return new Response(csv, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="prices.csv"',
    },
  });
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
