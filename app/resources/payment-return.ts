/**
 * Receives the result that a provider's payment page posts. The post comes from another site without our cookies. So the
 * order is found by the provider's order id, the signature authenticates it, and the browser is redirected to a page that
 * checks the visitor.
 */
import { redirect } from "@remix-run/node";
import { notFound } from "#server/errors.ts";
import { findOrder } from "#server/orders/find.ts";
import { receiveReturn } from "#server/payments/return.ts";
import { limits } from "../http/limits.ts";
import { foreignFormAction } from "../http/page.ts";
import { currentPath } from "../journey/guard.ts";

export { postOnlyPage as loader } from "../http/page.ts";

export const action = foreignFormAction({
  limit: limits.payReturn,
  handler: async ({ context }, posted) => {
    const { orderId } = await receiveReturn(context, Object.fromEntries(posted));
    const order = await findOrder(context.db, orderId);
    if (order === null) throw notFound("payment");
    return redirect(currentPath(order), 303);
  },
});

/** Renders nothing. Without a component, Remix would answer refusals as JSON instead of an error page. */
export default function PaymentReturn() {
  return null;
}
