/** The order's bare link: redirects to the step of the saved stage (docs/decisions/orders.md#drafts). */
import { redirect } from "@remix-run/node";
import { pageLoader } from "../http/page.ts";
import { orderParams } from "../params.ts";
import { currentPath, openOrder } from "./guard.ts";

export const loader = pageLoader(orderParams, async (request, params) => {
  const order = await openOrder(request, params);
  throw redirect(currentPath(order));
});

export default function OrderIndex() {
  return null;
}
