/** `/desk/money/{list}/csv`: a money list as a file, with the filter of its page. */
import { isMoneyListId, moneyLists } from "#server/desk/lists/registry.ts";
import { notFound } from "#server/foundation/errors.ts";
import { listFile } from "./list-view.ts";
import { deskFileLoader } from "./route-builders.ts";

export const loader = deskFileLoader("moneyFile", (request, { list = "" }) => {
  if (!isMoneyListId(list)) throw notFound();
  return listFile(moneyLists[list], request);
});

export { RouteErrorPage as ErrorBoundary } from "../ui/error-page.tsx";
export { deskHandle as handle } from "./handle.ts";
