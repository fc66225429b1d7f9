/** Alternatives on the review: why an order is not paid in the checkout, the other ways to pay, and its quote. */

import type { Payment } from "#db/billing/payments.ts";
import type { Order } from "#db/orders/order.ts";
import { hasOpenProforma } from "#server/billing/payments/bank-transfer/transfer-state.ts";
import { linkOf } from "#server/billing/payments/payment-link/link-state.ts";
import { partialPaymentsText, whyNotInCheckout } from "#server/billing/payments/payment-options.ts";
import { findLatestVersion, formatQuoteNumber, isInForce } from "#server/billing/quotes/quote.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import {
  checkoutChoicesFor,
  formatPaymentMethods,
  instantMethodsFor,
  methodsBelow,
  otherMethodsFor,
} from "#server/catalogue/pricing/payment-methods.ts";
import { type MessageDescriptor, msg, translate } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { billingProblem } from "#server/orders/billing-problem.ts";
import { findPlaceOf } from "#server/orders/company-drafts.ts";
import { stepPath } from "#server/orders/order-path.ts";
import { tooSmallToPay } from "#server/orders/pricing.ts";
import { inAppBrowserOf } from "../../http/in-app-browsers.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { inAppBrowserNote, paymentLinkText } from "../payment-option-texts.ts";
import { changeRequestMailto } from "../review-data.ts";
import type { AlternativeLink, LeavingButton } from "./place-order-forms.tsx";

/**
 * Labels of the buttons that place an order: how the first is paid, the methods for which the total is too high, and the text of
 * the second.
 */
export function placingButtons(
  { context: { env }, text, language }: RequestContext,
  { country, total }: Order,
): { payNext: string; otherwise: string | null } {
  const [first = [], others] = checkoutChoicesFor(env, country, total);
  const below = methodsBelow(env, country, total).map(({ method, most }) =>
    text("paying.upTo", { method: formatPaymentMethods(language, [method]), most: formatMoney(most) }),
  );
  const payNext = text("review.payNext", {
    total: formatMoney(total),
    methods: formatPaymentMethods(language, first),
  });
  const tooMuch = below.length === 0 ? [] : [text("paying.tooMuchFor", { ways: below.join(", ") })];
  return {
    payNext: [payNext, ...tooMuch].join(" "),
    otherwise:
      others === undefined ? null : text("paying.payBy", { methods: formatPaymentMethods(language, others) }),
  };
}

/**
 * Path of the form that corrects the billing details: a new customer's own step, else the company's place, which leads back here.
 * The company's page has its name. Null for a member who cannot change either.
 */
async function billingFormPath(request: RequestContext, order: Order, field: string): Promise<string | null> {
  if (order.kind === "NEW") return stepPath(order, "create-account");
  if (request.session?.customer?.role !== "owner") return null;
  const place = field === "companyName" ? null : await findPlaceOf(request.context.db, order);
  return place === null
    ? paths.company()
    : paths.companyBillingAddress(place, stepPath(order, "place-order"));
}

/** Why an order is not paid in the checkout, and the alternative; null when it is. */
export async function notHere(
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
 * The way to pay outside the checkout; null where there is none.
 * @param isRequested whether a payment was already requested in any way, which is rare
 */
export async function otherWay(
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

/** Warns that a bank account expects the same money, so that nobody pays twice; null when none does. */
export function awaitedIn(
  { text, language }: RequestContext,
  state: MessageDescriptor | undefined,
): string | null {
  return state === undefined ? null : text("paying.isAwaitedAlready", { state: translate(language, state) });
}

/** The alternative offered before the checkout in a browser in which the checkout might fail; null in any other. */
export async function beforeCheckout(
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

/** The order's quote, or the link that creates one. */
export async function quoteIn(
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

export function leavingAmong(ways: readonly (AlternativeLink | null)[]): LeavingButton[] {
  return ways.flatMap((way) => (way?.intent === undefined ? [] : [{ intent: way.intent, label: way.label }]));
}
