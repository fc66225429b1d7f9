/**
 * Where a provider's payment page posts its result. The post comes from another site, without our cookies, so the order is found
 * by the provider's order id, the signature is the proof, and the browser is sent on to a page that checks who asks.
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

/** There is nothing to show; with it a refusal is a page in words, and not JSON. */
export default function PaymentReturn() {
  return null;
}
