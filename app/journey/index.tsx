/** The order's bare link: leads to the step of the saved stage (docs/decisions/order-from-step-1.md). */
import { redirect } from "@remix-run/node";
import { pageLoader } from "../http/page.ts";
import { currentPath, openOrder } from "./guard.ts";
import { orderParams } from "../params.ts";

export const loader = pageLoader(orderParams, async (page, params) => {
  const order = await openOrder(page, params);
  throw redirect(currentPath(order));
});

export default function OrderIndex() {
  return null;
}
