/**
 * Where the hosted checkout posts its result. The post comes from another site, without our cookies, so the order is found
 * by the provider's order id, the signature is the proof, and the browser is sent on to a page that checks who asks.
 */
import { redirect } from "@remix-run/node";
import { z } from "zod";
import { notFound } from "#server/errors.ts";
import { findOrder } from "#server/orders/find.ts";
import { findOrderOfCheckout } from "#server/payments/find.ts";
import { receiveReturn } from "#server/payments/return.ts";
import { recordFailure } from "#server/payments/settle.ts";
import { limits } from "../http/limits.ts";
import { foreignFormAction } from "../http/page.ts";
import { currentPath } from "../journey/guard.ts";

const paid = z.object({
  razorpay_payment_id: z.string().regex(/^pay_[A-Za-z0-9]{1,40}$/),
  razorpay_order_id: z.string().regex(/^order_[A-Za-z0-9]{1,40}$/),
  razorpay_signature: z.string().regex(/^[0-9a-f]{64}$/),
});
const failed = z.object({ "error[metadata]": z.string().max(2000) });
const failedMetadata = z.object({ order_id: z.string(), payment_id: z.string().optional() });

export { postOnlyPage as loader } from "../http/page.ts";

export const action = foreignFormAction({
  limit: limits.payReturn,
  handler: async ({ context }, posted) => {
    const form = Object.fromEntries(posted);
    const success = paid.safeParse(form);
    let providerOrderId: string;
    if (success.success) {
      providerOrderId = success.data.razorpay_order_id;
      await receiveReturn(context, {
        providerOrderId,
        providerPaymentId: success.data.razorpay_payment_id,
        signature: success.data.razorpay_signature,
      });
    } else {
      const failure = failed.safeParse(form);
      const metadata = failedMetadata.safeParse(
        failure.success ? parseJson(failure.data["error[metadata]"]) : form,
      );
      if (!metadata.success) throw notFound("payment");
      providerOrderId = metadata.data.order_id;
      // The post is not signed: it only makes us look, and what is shown is what the provider says.
      if (metadata.data.payment_id !== undefined) {
        await recordFailure(context, { providerOrderId, providerPaymentId: metadata.data.payment_id });
      }
    }
    const id = await findOrderOfCheckout(context.db, providerOrderId);
    const order = id === null ? null : await findOrder(context.db, id);
    if (order === null) throw notFound("payment");
    return redirect(currentPath(order), 303);
  },
});

/** There is nothing to show; with it a refusal is a page in words, and not JSON. */
export default function PaymentReturn() {
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
