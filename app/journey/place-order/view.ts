/** View model of Place Order: an order in fulfilment, refunded, or under review and payment. */
import type { Order } from "#db/orders/order.ts";
import { readTransferStates } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { openCheckout } from "#server/billing/payments/begin.ts";
import {
  findRefundWithReason,
  hasOpenPaymentRequest,
  listPaymentsOf,
} from "#server/billing/payments/find.ts";
import { filterUnsettledPayments, lastFailure } from "#server/billing/payments/unsettled.ts";
import { whyOrderApprovalNeeded } from "#server/billing/quotes/order-approval.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { type MessageDescriptor, msg, translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { orderNumber } from "#server/orders/number.ts";
import { isRefunded } from "#server/orders/payment-state.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { isDeclined, leftPath, requesterOf, wasCheckoutLeft } from "../guard.ts";
import { referencesForm } from "../references-data.ts";
import { reviewOf, termsOf } from "../review-data.ts";
import { progressOf } from "../waiting-data.ts";
import { confirmationOf, doubtsIn, freshlyPriced } from "./as-of-now.ts";
import type { LeavingButton } from "./place-order-forms.tsx";
import {
  awaitedIn,
  beforeCheckout,
  leavingAmong,
  notHere,
  otherWay,
  placingButtons,
  quoteIn,
} from "./ways-on.ts";

/** Value of `pay` in the URL after the second button: the checkout opens with the methods next to the card. */
export const otherwise = "otherwise";

export async function placeOrderView(request: RequestContext, stored: Order) {
  // An existing customer's order is fulfilled while this page waits (docs/specification.md, section 2.6).
  const progress = await progressOf(request, stored);
  if (progress !== null) return progress;
  if (isRefunded(stored)) return { view: "refunded" as const, ...(await refundedView(request, stored)) };
  return reviewView(request, stored);
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

/** The review of an order that can still be paid. */
export type ReviewView = Awaited<ReturnType<typeof reviewView>>;

async function reviewView(request: RequestContext, stored: Order) {
  const order = await freshlyPriced(request, stored);
  // Concurrent: sequential reads would each cost a round trip to the database.
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
  const isPaid = unsettled.length > 0;
  const checkout = isPaid || order !== stored ? null : await checkoutOf(request, order);
  const instead = await notHere(request, order, payments);
  // A payment that began before the rule, or has arrived, may continue.
  const needed = checkout !== null || isPaid ? null : why;
  const before = instead === null && !isPaid ? await beforeCheckout(request, order) : null;
  const other = instead === null && needed === null ? await otherWay(request, order, isRequested) : null;
  const isAsking = !isPaid && instead === null && needed === null && checkout === null;
  const problem = unsettled.find((payment) => payment.problem !== null)?.problem ?? null;
  return {
    view: "review" as const,
    review: reviewOf(request, order, {
      isOpen: !isPaid,
      isOwner: request.session?.customer?.role === "owner",
      doubts: said(request, doubts),
    }),
    ...terms,
    confirm,
    totalMinor: order.total.minor,
    total: formatMoney(order.total),
    priceChanged: order.total.minor !== stored.total.minor,
    ...placingButtons(request, order),
    instead,
    before,
    awaited: isPaid ? null : awaitedIn(request, transfers.get(order.id)),
    needsYes: needed === null ? null : approvalIn(request, order, needed),
    ...waysOut({ before, other, quote: isPaid ? null : quoted, isAsking }),
    paid: isPaid,
    /** True while the form that places the order is shown. */
    isAsking,
    problem: said(request, problem),
    ...(await checkoutView(request, order, checkout)),
    references: referencesForm(order),
    /** Link to change the references, once their form has been sent; null while it is shown. */
    changeReferences:
      !isPaid && !isAsking
        ? { href: paths.orderReferences(order.id), label: request.text("references.edit") }
        : null,
  };
}

function checkoutOf(request: RequestContext, order: Order) {
  return openCheckout(request.context, order, { cancelPath: leftPath(order), language: request.language });
}

/** The checkout of a pending payment, and how the buyer came back from it. */
async function checkoutView(
  request: RequestContext,
  order: Order,
  checkout: Awaited<ReturnType<typeof checkoutOf>>,
) {
  // Only on the return: a buyer who cancelled since, or tried again, has moved past it.
  const failure =
    checkout === null || !isDeclined(request.url)
      ? null
      : ((await lastFailure(request.context, order.id)) ?? msg("declines.unknown"));
  return {
    checkout,
    /** Index of the checkout button that opens automatically. */
    chosen: request.url.searchParams.get("pay") === otherwise ? 1 : 0,
    failure: said(request, failure),
    left: checkout !== null && wasCheckoutLeft(request.url) ? request.text("review.left") : null,
  };
}

/** The reason for an approval, and the link that requests it. */
function approvalIn(request: RequestContext, order: Order, why: MessageDescriptor) {
  return {
    why: translate(request.language, why),
    ask: { href: paths.orderQuote(order.id), label: request.text("rules.ask") },
  };
}

/** Alternatives to the checkout. Those that submit the review's form first are buttons of it. */
function waysOut({
  before,
  other,
  quote,
  isAsking,
}: {
  before: Awaited<ReturnType<typeof beforeCheckout>>;
  other: Awaited<ReturnType<typeof otherWay>>;
  quote: Awaited<ReturnType<typeof quoteIn>> | null;
  isAsking: boolean;
}) {
  // The alternative shown before the checkout is not repeated.
  const ways = [
    other?.label === before?.way.label ? null : other,
    quote === null ? null : (quote.open ?? quote.make),
  ];
  const leaving = isAsking ? leavingAmong(ways) : [];
  const isLeft = (intent: LeavingButton["intent"]) => leaving.some((each) => each.intent === intent);
  return { leaving, otherWay: isLeft("another-way") ? null : other, quote: isLeft("quote") ? null : quote };
}

function said({ language }: RequestContext, text: MessageDescriptor | string | null): string | null {
  return text === null ? null : translate(language, text);
}
