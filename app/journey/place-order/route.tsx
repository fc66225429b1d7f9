/**
 * Step 3, Review and Place Order: the whole order, the terms, the payment, and the next step for money that has already
 * arrived.
 */
import { redirect } from "@remix-run/node";
import { useActionData, useLoaderData, useLocation } from "@remix-run/react";
import { useState } from "react";
import type { z } from "zod";
import type { Order } from "#db/order.ts";
import type { Payment } from "#db/payments.ts";
import { gstinWarning } from "#server/accounts/gst-lookup.ts";
import { assertNever } from "#server/errors.ts";
import { requestedAdministrator } from "#server/fulfilment/administrators.ts";
import { approvalOf, isApprovalPending } from "#server/fulfilment/approval.ts";
import { type MessageDescriptor, msg, translate } from "#server/languages/text.ts";
import { fetchAgreementUrl } from "#server/orders/agreement.ts";
import { billingProblem } from "#server/orders/billing-problem.ts";
import { findPlaceOf } from "#server/orders/company-drafts.ts";
import { orderNumber } from "#server/orders/number.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { isRefunded } from "#server/orders/payment-state.ts";
import { tooSmallToPay } from "#server/orders/pricing.ts";
import { priceOrderNow } from "#server/orders/subscription-change.ts";
import { computeTaxNow, hasTax } from "#server/orders/supply.ts";
import * as paths from "#server/paths.ts";
import { hasOpenProforma, readTransferStates } from "#server/payments/bank-transfer/transfer-state.ts";
import { beginPayment, openCheckout } from "#server/payments/begin.ts";
import { findRefundWithReason, hasOpenPaymentRequest, listPaymentsOf } from "#server/payments/find.ts";
import { linkOf } from "#server/payments/payment-link/link-state.ts";
import { partialPaymentsText, whyNotInCheckout } from "#server/payments/payment-options.ts";
import { receiveReturn, retrySettlement } from "#server/payments/payment-return.ts";
import { filterUnsettledPayments, lastFailure } from "#server/payments/settle.ts";
import { lookUpOnReopening } from "#server/payments/sweep.ts";
import { formatMoney } from "#server/pricing/format.ts";
import { formatPaymentMethods, instantMethodsFor, otherMethodsFor } from "#server/pricing/payment-methods.ts";
import { whyOrderApprovalNeeded } from "#server/quotes/order-approval.ts";
import { findLatestVersion, formatQuoteNumber, isInForce, makeQuote } from "#server/quotes/quote.ts";
import { ErrorSummary } from "../../forms/error-summary.tsx";
import { inAppBrowserOf } from "../../http/in-app-browsers.ts";
import { formAction, pageLoader } from "../../http/page.ts";
import { enforceRateLimit, rateLimits } from "../../http/rate-limits.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { orderParams } from "../../params.ts";
import { Callout } from "../../ui/callout.tsx";
import type { Handle } from "../../ui/handle.ts";
import { useTranslate } from "../../ui/text.tsx";
import { StepHeading } from "../frame.tsx";
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
import { inAppBrowserNote, paymentLinkText } from "../payment-option-texts.ts";
import { referencesForm, saveReferences } from "../references-data.ts";
import { Review } from "../review.tsx";
import { changeRequestMailto, reviewOf, termsOf } from "../review-data.ts";
import { progressOf } from "../waiting-data.ts";
import { PayPanel } from "./pay.tsx";
import {
  type AlternativeLink,
  AlternativePayment,
  type LeavingButton,
  NeedsApproval,
  QuoteLink,
  RetryForm,
  TermsForm,
} from "./place-order-forms.tsx";
import { Refunded } from "./refunded.tsx";
import { reviewSchema } from "./review-schema.ts";

export const handle: Handle = { hydrate: true };

export { shouldRevalidate } from "../stale-page.ts";

/**
 * Shows an order whose price guarantee has expired at today's price, and any with today's tax. What is new is stored only when
 * Place Order is pressed.
 */
async function freshlyPriced(request: RequestContext, order: Order): Promise<Order> {
  const { db, env } = request.context;
  const now = new Date();
  const taxed = await computeTaxNow(db, env.sellers, order, order.account, now);
  const { supply } = taxed;
  const today = await priceOrderNow(db, env.sellers, order, now);
  if (today === null) {
    if (hasTax(order, taxed)) return order;
    return { ...order, ...taxed.figures, details: { ...order.details, supply } };
  }
  const { selection } = today;
  const { subtotal, tax, rounding, total, taxRateBasisPoints, regularPrice, priced } = today.priced;
  return {
    ...order,
    subtotal,
    tax,
    rounding,
    total,
    taxRateBasisPoints,
    details: { ...order.details, supply, proration: selection.proration, priced },
    line: { ...order.line, unitPrice: regularPrice, subtotal },
  };
}

/** The approval page and the administrator who was asked, or null when no confirmation is pending. */
async function confirmationOf({ context: { db } }: RequestContext, order: Order) {
  const approval = await approvalOf(db, order, new Date());
  if (!isApprovalPending(approval)) return null;
  return {
    domain: approval.domain,
    href: paths.approval(order.id),
    requestedEmail: await requestedAdministrator(db, order.id, approval.domain),
  };
}

/** What the tax register says against the buyer's GSTIN. */
async function doubtsIn(
  { context: { db } }: RequestContext,
  { account }: Order,
): Promise<MessageDescriptor | null> {
  if (account === null || account.gst_code === null) return null;
  return gstinWarning(db, { gstin: account.gst_code, companyName: account.companyName });
}

/**
 * The form that corrects the billing details: a new customer's own step, else the company's place, which leads back here. The company's
 * page has its name. Null for a member who may not change either.
 */
async function billingFormPath(request: RequestContext, order: Order, field: string): Promise<string | null> {
  if (order.kind === "NEW") return stepPath(order, "create-account");
  if (request.session?.customer?.role !== "owner") return null;
  const place = field === "companyName" ? null : await findPlaceOf(request.context.db, order);
  return place === null
    ? paths.company()
    : paths.companyBillingAddress(place, stepPath(order, "place-order"));
}

/** Why an order is not paid in the checkout, and the way on; null when it is. */
async function notHere(
  request: RequestContext,
  order: Order,
  payments: readonly Payment[],
): Promise<{ why: string; way: AlternativeLink | null } | null> {
  const { env } = request.context;
  const { text, language } = request;
  const problem = order.account === null ? null : billingProblem(env.sellers, order.account);
  if (problem !== null) {
    const why = translate(language, msg("refusals.billing", { problem: problem.says }));
    const href = await billingFormPath(request, order, problem.field);
    return href === null
      ? { why: `${why} ${text("paying.ownerCorrectsBilling")}`, way: null }
      : { why, way: { label: text("paying.correctBilling"), href } };
  }
  const tooSmall = tooSmallToPay({ ...order, quantity: order.line.quantity });
  if (tooSmall !== null) {
    const renewed = order.kind === "ADD" ? order.subscriptionId : null;
    const way = renewed === null ? null : { label: text("review.renew"), href: paths.renew(renewed) };
    return { why: translate(language, tooSmall), way };
  }
  const parts = partialPaymentsText(payments, order);
  if (parts !== null) {
    const way = { label: text("paying.openProforma"), href: paths.proforma(order.id) };
    return { why: translate(language, parts), way };
  }
  if (instantMethodsFor(env, order.country, order.total).length > 0) return null;
  const [first, ...more] = otherMethodsFor(env, order.country, order.total);
  const way =
    first === undefined
      ? { label: text("paying.writeToUs"), href: changeRequestMailto(order, "Payment of a large order") }
      : {
          label: text(more.length > 0 ? "paying.anotherWay" : wayNames[first]),
          href: paths.payAnotherWay(order.id),
        };
  return { why: translate(language, whyNotInCheckout(env, order.country, order.total)), way };
}

const wayNames = { link: "paying.byLink", transfer: "paying.byTransfer" } as const;

/**
 * The way to pay that is not in the checkout; null where there is none.
 * @param isRequested whether the order's money was asked for in any way: most were not yet
 */
async function otherWay(
  { context: { db, env }, text }: RequestContext,
  order: Order,
  isRequested: boolean,
): Promise<AlternativeLink | null> {
  if (otherMethodsFor(env, order.country, order.total).length === 0) return null;
  const [href, intent] = [paths.payAnotherWay(order.id), "another-way" as const];
  if (isRequested) {
    if (await hasOpenProforma(db, order))
      return { label: text("paying.openProforma"), href: paths.proforma(order.id), intent };
    if ((await linkOf(db, order, new Date())) !== null)
      return { label: text("paying.yourLink"), href, intent };
  }
  return { label: text("paying.anotherWay"), href, intent };
}

/** That a bank account waits for the same money, so that nobody pays twice; null when none does. */
function awaitedIn({ text, language }: RequestContext, state: MessageDescriptor | undefined): string | null {
  return state === undefined ? null : text("paying.isAwaitedAlready", { state: translate(language, state) });
}

/** What is offered before the checkout in a browser in which that may not work; null in any other. */
async function beforeCheckout(
  request: RequestContext,
  order: Order,
): Promise<{ why: string; way: AlternativeLink } | null> {
  const { context, text, language } = request;
  const { db, env } = context;
  const browser = inAppBrowserOf(request.raw.headers);
  if (browser === null || !otherMethodsFor(env, order.country, order.total).includes("link")) return null;
  const href = paths.payAnotherWay(order.id);
  const link = await linkOf(db, order, new Date());
  if (link === null)
    return { why: inAppBrowserNote(request, browser), way: { label: text("paying.sendLink"), href } };
  return {
    why: paymentLinkText({ text, language }, order, link),
    way: { label: text("paying.yourLink"), href },
  };
}

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

/** The quote that the order has, or where one is made. */
async function quoteIn(
  { context: { db }, text }: RequestContext,
  order: Order,
): Promise<{ open: AlternativeLink } | { open: null; make: AlternativeLink }> {
  const quote = order.isQuoted ? await findLatestVersion(db, order.id) : null;
  const intent = "quote";
  return quote !== null && isInForce(quote, order, new Date())
    ? {
        open: {
          href: paths.quote(quote.id),
          label: text("quotes.openNumbered", { number: formatQuoteNumber(quote) }),
          intent,
        },
      }
    : { open: null, make: { href: paths.orderQuote(order.id), label: text("quotes.make"), intent } };
}

function leavingAmong(ways: readonly (AlternativeLink | null)[]): LeavingButton[] {
  return ways.flatMap((way) => (way?.intent === undefined ? [] : [{ intent: way.intent, label: way.label }]));
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
  const methods = instantMethodsFor(request.context.env, order.country, order.total);
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
    methods: formatPaymentMethods(request.language, methods),
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
        if (value.references === "asked") await saveReferences(request, order.id, value);
        await beginPayment(context, {
          orderId: order.id,
          requester: requesterOf(request),
          shownTotalMinor: value.total,
          shownAgreement: value.agreement,
          now: new Date(),
        });
        return redirect(`${next}?pay=1#pay`, 303);
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
  const result = useActionData<typeof action>()?.result;
  const text = useTranslate();
  const { key } = useLocation();
  /** The visit to this page on which the checkout was opened. */
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  if (data.view === "attention") return <NeedsAttention {...data} />;
  if (data.view === "refunded") return <Refunded {...data} />;
  if (data.view === "working") return <Thanks {...data} />;
  return (
    <>
      <StepHeading>{text("review.title")}</StepHeading>
      {data.confirm !== null && (
        <Callout type="info">
          <p>
            <span>{`${text("review.confirm", { domain: data.confirm.domain })} `}</span>
            {data.confirm.requestedEmail !== null && (
              <span>{`${text("review.confirmAsked", { email: data.confirm.requestedEmail })} `}</span>
            )}
            <a href={data.confirm.href}>
              {text(data.confirm.requestedEmail === null ? "review.confirmNow" : "review.confirmAgain")}
            </a>
          </p>
        </Callout>
      )}
      {data.priceChanged && (
        <Callout type="info">
          <p>{text("review.priceChanged")}</p>
        </Callout>
      )}
      {data.failure !== null && openedOn !== key && (
        <Callout type="error">
          <p>{text("review.paymentFailed", { why: data.failure })}</p>
        </Callout>
      )}
      {!data.paid && result?.error?.[""] && (
        <ErrorSummary form={{ errors: result.error[""], errorId: "payment-error" }} fields={[]} />
      )}
      <Review {...data.review} />
      {data.before !== null && <AlternativePayment {...data.before} />}
      {data.awaited !== null && (
        <Callout type="due">
          <p>{data.awaited}</p>
        </Callout>
      )}
      {data.paid ? (
        <RetryForm lastResult={result} problem={data.problem} />
      ) : data.needsYes !== null ? (
        <NeedsApproval {...data.needsYes} />
      ) : data.instead !== null ? (
        <AlternativePayment {...data.instead} />
      ) : data.checkout !== null ? (
        <PayPanel
          checkout={data.checkout}
          total={data.total}
          methods={data.methods}
          left={data.left}
          onOpen={() => {
            setOpenedOn(key);
            // A reload does not speak of it again either.
            history.replaceState(history.state, "", location.pathname);
          }}
        />
      ) : (
        <TermsForm lastResult={result} {...data} />
      )}
      {data.changeReferences !== null && (
        <p>
          <a href={data.changeReferences.href}>{data.changeReferences.label}</a>
        </p>
      )}
      <div className="actions">
        {!data.paid && data.otherWay !== null && data.otherWay.label !== data.before?.way.label && (
          <a className="button quiet" href={data.otherWay.href}>
            {data.otherWay.label}
          </a>
        )}
        {data.quote !== null && data.needsYes === null && <QuoteLink {...data.quote} />}
      </div>
    </>
  );
}
