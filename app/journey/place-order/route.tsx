/**
 * Step 3, Review and Place Order: the whole order, the terms, the payment, and the next step for money that has already
 * arrived.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import type { Order } from "#db/order.ts";
import { assertNever } from "#server/errors.ts";
import { type MessageDescriptor, msg, translate } from "#server/languages/text.ts";
import { fetchAgreementUrl } from "#server/orders/agreement.ts";
import { orderNumber } from "#server/orders/number.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { isRefunded } from "#server/orders/payment-state.ts";
import * as paths from "#server/paths.ts";
import { hasOpenProforma, readTransferStates } from "#server/payments/bank-transfer/transfer-state.ts";
import { beginPayment, openCheckout } from "#server/payments/begin.ts";
import { findRefundWithReason, hasOpenPaymentRequest, listPaymentsOf } from "#server/payments/find.ts";
import { receiveReturn, retrySettlement } from "#server/payments/payment-return.ts";
import { filterUnsettledPayments, lastFailure } from "#server/payments/settle.ts";
import { lookUpOnReopening } from "#server/payments/sweep.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { whyOrderApprovalNeeded } from "#server/quotes/order-approval.ts";
import { makeQuote } from "#server/quotes/quote.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { enforceRateLimit, rateLimits } from "../../http/rate-limits.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { orderParams } from "../../params.ts";
import type { Handle } from "../../ui/handle.ts";
import {
  currentPath,
  declinedPath,
  isDeclined,
  leftPath,
  openOrder,
  openStep,
  requesterOf,
  wasCheckoutLeft,
} from "../guard.ts";
import { NeedsAttention, Thanks } from "../order-progress.tsx";
import { referencesForm, saveReferences } from "../references-data.ts";
import { reviewOf, termsOf } from "../review-data.ts";
import { progressOf } from "../waiting-data.ts";
import { confirmationOf, doubtsIn, freshlyPriced } from "./as-of-now.ts";
import type { LeavingButton } from "./place-order-forms.tsx";
import { Refunded } from "./refunded.tsx";
import { ReviewPage } from "./review-page.tsx";
import { reviewSchema } from "./review-schema.ts";
import {
  awaitedIn,
  beforeCheckout,
  leavingAmong,
  notHere,
  otherWay,
  placingButtons,
  quoteIn,
} from "./ways-on.ts";

/** Value of `pay` in the address after the second button: the checkout opens with the methods beside the card. */
const otherwise = "otherwise";

export const handle: Handle = { hydrate: true };

export { shouldRevalidate } from "../stale-page.ts";

/** A pending payment may have completed since, on a device that never returned. */
async function openReview(request: RequestContext, params: z.output<typeof orderParams>): Promise<Order> {
  const order = await openStep(request, params, "place-order");
  if (order.paymentStatus !== "pending" || !(await lookUpOnReopening(request.context, order.id)))
    return order;
  return openStep(request, params, "place-order", { fresh: true });
}

async function refundedView({ context, language }: RequestContext, order: Order) {
  const refund = await findRefundWithReason(context.db, order.id);
  if (refund === null) throw new RangeError("An order that is refunded has a refund");
  return {
    orderNumber: orderNumber(order),
    amount: formatMoney(refund.amount),
    reason: translate(language, refund.reason),
    email: order.account?.email ?? "",
  };
}

export const loader = pageLoader(orderParams, async (request, params) => {
  const stored = await openReview(request, params);
  if (request.url.searchParams.has("agreement")) {
    await enforceRateLimit(rateLimits.agreement, request);
    throw redirect(await fetchAgreementUrl(request.context, stored));
  }
  // An existing customer's order is fulfilled while this page waits (docs/specification.md, section 2.6).
  const progress = await progressOf(request, stored);
  if (progress !== null) return progress;
  if (isRefunded(stored)) return { view: "refunded" as const, ...(await refundedView(request, stored)) };
  const order = await freshlyPriced(request, stored);
  // Read together: one after another would take a journey to the database each.
  const { db } = request.context;
  const [payments, isRequested, quoted, terms, why, doubts, confirm, transfers] = await Promise.all([
    listPaymentsOf(db, order.id),
    hasOpenPaymentRequest(db, order.id),
    quoteIn(request, stored),
    termsOf(request, order),
    whyOrderApprovalNeeded(db, order, requesterOf(request), new Date()),
    doubtsIn(request, order),
    confirmationOf(request, order),
    readTransferStates(db, [order], new Date()),
  ]);
  const unsettled = await filterUnsettledPayments(request.context, order.id, payments);
  const checkout =
    unsettled.length > 0 || order !== stored
      ? null
      : await openCheckout(request.context, order, {
          cancelPath: leftPath(order),
          language: request.language,
        });
  // Said on the return alone: who has cancelled since, or tried again, is past it.
  const failure =
    checkout === null || !isDeclined(request.url)
      ? null
      : ((await lastFailure(request.context, order.id)) ?? msg("declines.unknown"));
  const problem = unsettled.find((payment) => payment.problem !== null)?.problem ?? null;
  const instead = await notHere(request, order, payments);
  const before = instead === null && unsettled.length === 0 ? await beforeCheckout(request, order) : null;
  // A payment that was begun before the rule, or has arrived, goes on.
  const needed = checkout !== null || unsettled.length > 0 ? null : why;
  const other = instead === null && needed === null ? await otherWay(request, order, isRequested) : null;
  const quote = unsettled.length > 0 ? null : quoted;
  const isAsking = unsettled.length === 0 && instead === null && needed === null && checkout === null;
  // What stands before the checkout is not said twice.
  const ways = [
    other?.label === before?.way.label ? null : other,
    quote === null ? null : (quote.open ?? quote.make),
  ];
  const leaving = isAsking ? leavingAmong(ways) : [];
  const isLeft = (intent: LeavingButton["intent"]) => leaving.some((each) => each.intent === intent);
  const say = (said: MessageDescriptor | string | null) =>
    said === null ? null : translate(request.language, said);
  return {
    view: "review" as const,
    review: reviewOf(request, order, {
      isOpen: unsettled.length === 0,
      isOwner: request.session?.customer?.role === "owner",
      doubts: say(doubts),
    }),
    ...terms,
    confirm,
    totalMinor: order.total.minor,
    total: formatMoney(order.total),
    priceChanged: order.total.minor !== stored.total.minor,
    ...placingButtons(request, order),
    /** The index of the checkout's button that opens by itself. */
    chosen: request.url.searchParams.get("pay") === otherwise ? 1 : 0,
    instead,
    before,
    awaited: unsettled.length > 0 ? null : awaitedIn(request, transfers.get(order.id)),
    otherWay: isLeft("another-way") ? null : other,
    /** Why an approver's yes is needed first, and where one is asked for; null when none is. */
    needsYes:
      needed === null
        ? null
        : {
            why: translate(request.language, needed),
            ask: { href: paths.orderQuote(order.id), label: request.text("rules.ask") },
          },
    quote: isLeft("quote") ? null : quote,
    leaving,
    paid: unsettled.length > 0,
    problem: say(problem),
    failure: say(failure),
    left: checkout !== null && wasCheckoutLeft(request.url) ? request.text("review.left") : null,
    checkout,
    references: referencesForm(order),
    /** Where they are changed, once the form that asks for them has been sent; null while it is shown. */
    changeReferences:
      unsettled.length === 0 && !isAsking
        ? { href: paths.orderReferences(order.id), label: request.text("references.edit") }
        : null,
  };
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
          orderId: order.id,
          requester: requesterOf(request),
          shownTotalMinor: value.total,
          shownAgreement: value.agreement,
          now: new Date(),
        });
        return redirect(`${next}?pay=${value.intent === "place-order" ? "1" : otherwise}#pay`, 303);
      case "quote": {
        if (value.references === "asked") await saveReferences(request, order.id, value);
        // One that still says what the order says is opened, whatever stands against a new one by now.
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
