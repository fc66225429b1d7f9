/** GET /get/stage: how far an order is. `state` changes with every transition that a waiting page must react to. */

import type { Order } from "#db/orders/order.ts";
import type { PaymentAccount } from "#db/tables/payments.ts";
import { findCheckoutAccount } from "#server/billing/payments/find.ts";
import { paymentProviders } from "#server/billing/payments/registry.ts";
import { countries, standardCountry } from "#server/foundation/countries/registry.ts";
import { approvalOf, isApprovalPending } from "#server/fulfilment/approval.ts";
import { consoleCode, stageField } from "./shared/fields.ts";
import { ownOrder } from "./shared/own-order.ts";
import { apiPaymentProvider } from "./shared/payment.ts";
import { apiLoader, orderOwnerAccess, z } from "./shared/route.ts";
import { approvalUrl } from "./shared/vendor-sign-up.ts";

export { getOnly as action } from "./shared/route.ts";

export const loader = apiLoader(
  {
    summary: "An order's progress, and the payment provider's public key.",
    notes:
      "Without an id it answers the standard country's key alone: `stage` is none, `console` that country's, `other` empty.",
    tag: "Order",
    access: orderOwnerAccess,
    refuses: [404],
    query: z.object({ id: z.string().max(64).optional().describe("the order's ID") }),
    reply: z.object({
      stage: stageField,
      console: consoleCode,
      other: z
        .string()
        .describe(
          "the page where an administrator confirms the order; empty when there is nothing to confirm",
        ),
      razorpay: z.string().describe("the payment provider's public key ID"),
      state: z
        .enum(["none", "not_due", "waiting_for_signin", "stage3", "needs_attention", "done"])
        .describe(
          "what the order is waiting for: not_due = payment; waiting_for_signin = sign-in details; stage3 = processing; needs_attention = our team; done = nothing",
        ),
      problem: z
        .string()
        .describe("why sign-in details were rejected and new ones are needed; otherwise empty"),
    }),
  },
  async (request, { id }) => {
    const { db } = request.context;
    const publicKeyOf = (account: PaymentAccount) =>
      paymentProviders[apiPaymentProvider].publicKey(request.context, account);
    if (id === undefined) {
      const nothing = {
        stage: "none",
        console: countries[standardCountry].console,
        other: "",
        state: "none",
        problem: "",
      } as const;
      return { ...nothing, razorpay: publicKeyOf(standardCountry) };
    }
    const order = await ownOrder(request, id);
    const { account } = await findCheckoutAccount(db, order);
    const isWaiting = isApprovalPending(await approvalOf(db, order, new Date()));
    return {
      stage: order.stage,
      console: countries[order.country].console,
      other: isWaiting ? approvalUrl(request, order) : "",
      razorpay: publicKeyOf(account),
      state: stateOf(order),
      problem: order.fulfilmentStatus === "waiting_for_signin" ? (order.details.signInProblem ?? "") : "",
    };
  },
);

/** While fulfilment runs, the state is the stage, which changes when the work is done. */
function stateOf({ fulfilmentStatus: status }: Order) {
  return status === "queued" || status === "running" ? ("stage3" as const) : status;
}
