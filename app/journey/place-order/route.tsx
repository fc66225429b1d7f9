/**
 * Step 3, Review and Place Order: the whole order, the terms, the payment, and the next step for money that has already
 * arrived.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import { hasOpenProforma } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { beginPayment } from "#server/billing/payments/begin.ts";
import { receiveReturn, retrySettlement } from "#server/billing/payments/payment-return.ts";
import { lookUpOnReopening } from "#server/billing/payments/sweep.ts";
import { makeQuote } from "#server/billing/quotes/quote.ts";
import { assertNever } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { fetchAgreementUrl } from "#server/orders/agreement.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { enforceRateLimit, rateLimits } from "../../http/rate-limits.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { orderParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import { currentPath, declinedPath, openOrder, openStep, requesterOf } from "../guard.ts";
import { NeedsAttention, Thanks } from "../order-progress.tsx";
import { saveReferences } from "../references-data.ts";
import { Refunded } from "./refunded.tsx";
import { ReviewPage } from "./review-page.tsx";
import { reviewSchema } from "./review-schema.ts";
import { otherwise, placeOrderView } from "./view.ts";
import { quoteIn } from "./ways-on.ts";

export const handle: Handle = { hydrate: true };

export { shouldRevalidate } from "../stale-page.ts";

/** Opens the order. A pending payment may have completed since, on a device that never returned. */
async function openReview(request: RequestContext, params: z.output<typeof orderParams>): Promise<Order> {
  const order = await openStep(request, params, "place-order");
  if (order.paymentStatus !== "pending" || !(await lookUpOnReopening(request.context, order.id)))
    return order;
  return openStep(request, params, "place-order", { fresh: true });
}

export const loader = pageLoader(orderParams, async (request, params) => {
  const stored = await openReview(request, params);
  if (request.url.searchParams.has("agreement")) {
    await enforceRateLimit(rateLimits.agreement, request);
    throw redirect(await fetchAgreementUrl(request.context, stored));
  }
  return placeOrderView(request, stored);
});

export const action = formAction({
  params: orderParams,
  limit: rateLimits.pay,
  schema: reviewSchema,
  handler: async (request, params, value): Promise<Response> => {
    const { context } = request;
    const order = await openStep(request, params, "place-order");
    const next = stepPath(order, "place-order");
    switch (value.intent) {
      case "place-order":
      case "pay-otherwise":
        if (value.references === "asked") await saveReferences(request, order.id, value);
        await beginPayment(context, {
          order,
          requester: requesterOf(request),
          shownTotalMinor: value.total,
          shownAgreement: value.agreement,
          now: new Date(),
        });
        return redirect(`${next}?pay=${value.intent === "place-order" ? "1" : otherwise}#pay`, 303);
      case "quote": {
        if (value.references === "asked") await saveReferences(request, order.id, value);
        // A quote that still matches the order is opened, even if a new one could not be made now.
        const { open } = await quoteIn(request, await openOrder(request, params));
        if (open !== null) return redirect(open.href, 303);
        const input = { orderId: order.id, requester: requesterOf(request), now: new Date() };
        return redirect(paths.quote((await makeQuote(context, input)).id), 303);
      }
      case "another-way":
        if (value.references === "asked") await saveReferences(request, order.id, value);
        return redirect(
          (await hasOpenProforma(context.db, order))
            ? paths.proforma(order.id)
            : paths.payAnotherWay(order.id),
          303,
        );
      case "submit":
        await retrySettlement(context, order.id);
        return redirect(currentPath(await openOrder(request, params)), 303);
      case "paid":
        return redirect(
          (await receiveReturn(context, value)).state === "failed" ? declinedPath(order) : next,
          303,
        );
      default:
        return assertNever(value);
    }
  },
});

export default function PlaceOrder() {
  const data = useLoaderData<typeof loader>();
  const lastResult = useActionData<typeof action>()?.result;
  if (data.view === "attention") return <NeedsAttention {...data} />;
  if (data.view === "refunded") return <Refunded {...data} />;
  if (data.view === "working") return <Thanks {...data} />;
  return <ReviewPage {...data} lastResult={lastResult} />;
}
