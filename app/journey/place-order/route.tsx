/**
 * Step 3, Review and Place Order: the whole order, the terms, the payment, and the next step for money that has already
 * arrived.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { z } from "zod";
import type { Order } from "#db/order.ts";
import { getItem } from "#server/catalogue/items.ts";
import { unreachable } from "#server/errors.ts";
import { askedAdministrator } from "#server/fulfilment/administrators.ts";
import { approvalOf, isWaitedFor } from "#server/fulfilment/approval.ts";
import { agreementAddress } from "#server/orders/agreement.ts";
import { orderNumber } from "#server/orders/number.ts";
import { isRefunded } from "#server/orders/order.ts";
import { priceSelection, tooSmallToPay } from "#server/orders/pricing.ts";
import { newSelection } from "#server/orders/subscription-change.ts";
import * as paths from "#server/paths.ts";
import { beginPayment, openCheckout } from "#server/payments/begin.ts";
import { refundOf } from "#server/payments/find.ts";
import { receiveReturn, retrySettlement } from "#server/payments/return.ts";
import { lastFailure, unsettledPayments } from "#server/payments/settle.ts";
import { lookUpOnReopening } from "#server/payments/sweep.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { countAgainst, limits } from "../../http/limits.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { orderParams } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { useText } from "../../ui/text.tsx";
import { StepHeading } from "../frame.tsx";
import { askerOf, currentPath, openOrder, openStep, stepPath } from "../guard.ts";
import { Review } from "../review.tsx";
import { reviewOf, termsOf } from "../review-data.ts";
import { NeedsAttention, Refunded, Thanks } from "../waiting.tsx";
import { progressOf } from "../waiting-data.ts";
import { PayPanel } from "./pay.tsx";
import { RetryForm, TermsForm, TooSmall } from "./place-order-forms.tsx";
import { reviewSchema } from "./review-schema.ts";

export const handle: Handle = { hydrate: true };

/**
 * Shows an order whose price guarantee has expired at today's price. The new price is stored only when Place Order is
 * pressed.
 */
async function freshlyPriced(request: RequestContext, order: Order): Promise<Order> {
  const { db } = request.context;
  const selection = await newSelection(db, order, new Date());
  if (selection === null) return order;
  const item = await getItem(db, order.itemId, { includeRetired: order.subscriptionId !== null });
  const { subtotal, tax, rounding, total, regularPrice } = priceSelection(item, order.country, selection);
  return {
    ...order,
    subtotal,
    tax,
    rounding,
    total,
    details: { ...order.details, proration: selection.proration },
    line: { ...order.line, unitPrice: regularPrice, subtotal },
  };
}

/** The approval page and the administrator who was asked, or null when no confirmation is pending. */
async function confirmationOf({ context: { db } }: RequestContext, order: Order) {
  const approval = await approvalOf(db, order, new Date());
  if (!isWaitedFor(approval)) return null;
  return {
    domain: approval.domain,
    href: paths.approval(order.id),
    asked: await askedAdministrator(db, order.id, approval.domain),
  };
}

/** A pending payment may have completed since, on a device that never returned. */
async function openReview(request: RequestContext, params: z.output<typeof orderParams>): Promise<Order> {
  const order = await openStep(request, params, "place-order");
  if (order.paymentStatus !== "pending" || !(await lookUpOnReopening(request.context, order.id)))
    return order;
  return openStep(request, params, "place-order", { anew: true });
}

async function refundedView({ context }: RequestContext, order: Order) {
  const refund = await refundOf(context.db, order.id);
  if (refund === null) throw new RangeError("An order that is refunded has a refund");
  return {
    orderNumber: orderNumber(order),
    amount: formatMoney(refund.amount),
    reason: refund.reason,
    email: order.account?.email ?? "",
  };
}

export const loader = pageLoader(orderParams, async (request, params) => {
  const stored = await openReview(request, params);
  if (request.url.searchParams.has("agreement")) {
    await countAgainst(limits.agreement, request);
    throw redirect(await agreementAddress(request.context, stored));
  }
  // An existing customer's order is fulfilled while this page waits (docs/specification.md, section 2.6).
  const progress = await progressOf(request, stored);
  if (progress !== null) return progress;
  if (isRefunded(stored)) return { view: "refunded" as const, ...(await refundedView(request, stored)) };
  const order = await freshlyPriced(request, stored);
  const unsettled = await unsettledPayments(request.context, order.id);
  const checkout =
    unsettled.length > 0 || order !== stored
      ? null
      : await openCheckout(request.context, order, stepPath(order, "place-order"));
  const failure = checkout === null ? null : await lastFailure(request.context, order.id);
  return {
    view: "review" as const,
    review: reviewOf(request, order, { isOpen: unsettled.length === 0 }),
    ...(await termsOf(request, order)),
    confirm: await confirmationOf(request, order),
    totalMinor: order.total.minor,
    total: formatMoney(order.total),
    priceChanged: order.total.minor !== stored.total.minor,
    tooSmall: tooSmallToPay({ ...order, quantity: order.line.quantity }),
    renewHref:
      order.kind === "ADD" && order.subscriptionId !== null ? paths.renew(order.subscriptionId) : null,
    paid: unsettled.length > 0,
    problem: unsettled.find((payment) => payment.problem !== null)?.problem ?? null,
    failure,
    checkout,
  };
});

export const action = formAction({
  params: orderParams,
  limit: limits.pay,
  schema: reviewSchema,
  handler: async (request, params, value): Promise<Response> => {
    const { context } = request;
    const order = await openStep(request, params, "place-order");
    const next = stepPath(order, "place-order");
    switch (value.intent) {
      case "place-order":
        await beginPayment(context, {
          orderId: order.id,
          asker: askerOf(request),
          shownTotalMinor: value.total,
          shownAgreement: value.agreement,
          now: new Date(),
        });
        return redirect(`${next}?pay=1#pay`, 303);
      case "submit":
        await retrySettlement(context, order.id);
        return redirect(currentPath(await openOrder(request, params)), 303);
      case "paid":
        await receiveReturn(context, value);
        return redirect(next, 303);
      default:
        return unreachable(value);
    }
  },
});

export default function PlaceOrder() {
  const data = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>()?.result;
  const text = useText();
  if (data.view === "attention") return <NeedsAttention {...data} />;
  if (data.view === "refunded") return <Refunded {...data} />;
  if (data.view === "working") return <Thanks {...data} />;
  return (
    <>
      <StepHeading>{text("review.title")}</StepHeading>
      {data.confirm !== null && (
        <Callout type="info">
          <p>
            {text("review.confirm", { domain: data.confirm.domain })}{" "}
            {data.confirm.asked !== null && `${text("review.confirmAsked", { email: data.confirm.asked })} `}
            <a href={data.confirm.href}>
              {text(data.confirm.asked === null ? "review.confirmNow" : "review.confirmAgain")}
            </a>
          </p>
        </Callout>
      )}
      {data.priceChanged && (
        <Callout type="info">
          <p>{text("review.priceChanged")}</p>
        </Callout>
      )}
      {data.failure !== null && (
        <Callout type="error">
          <p>{text("review.paymentFailed", { why: data.failure })}</p>
        </Callout>
      )}
      {data.checkout !== null && result?.error?.[""] && (
        <ErrorSummary form={{ errors: result.error[""], errorId: "payment-error" }} fields={[]} />
      )}
      <Review {...data.review} />
      {data.paid ? (
        <RetryForm lastResult={result} problem={data.problem} />
      ) : data.tooSmall !== null ? (
        <TooSmall why={data.tooSmall} renewHref={data.renewHref} />
      ) : data.checkout !== null ? (
        <PayPanel checkout={data.checkout} total={data.total} />
      ) : (
        <TermsForm lastResult={result} {...data} />
      )}
    </>
  );
}
