/**
 * Whether an order may be placed, and at what price and tax: every check before payment. Vendors are called first, while no
 * lock is held; the other checks run with the order locked, in the transaction that opens the payment.
 */
import type { Money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { requireOrderApproval } from "#server/billing/quotes/order-approval.ts";
import { findLatestVersion, isInForce } from "#server/billing/quotes/quote.ts";
import {
  instantMethodsFor,
  type OtherMethod,
  otherMethodsFor,
} from "#server/catalogue/pricing/payment-methods.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { requireControlProof } from "#server/fulfilment/control-proof.ts";
import { type OfferedAgreement, requireAgreement } from "#server/orders/agreement.ts";
import { requireBillable } from "#server/orders/billing-problem.ts";
import { requireDomainUnchanged } from "#server/orders/domain.ts";
import { lockDraft } from "#server/orders/draft.ts";
import type { Requester } from "#server/orders/find.ts";
import { requireSoldIn } from "#server/orders/market-availability.ts";
import { requireOnSale } from "#server/orders/on-sale.ts";
import { whyNotPlaceableNow } from "#server/orders/order-preconditions.ts";
import { tooSmallToPay } from "#server/orders/pricing.ts";
import { atTodaysPrice } from "#server/orders/refresh-price.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import type { PaymentMethod } from "#server/platform/settings/payments.ts";
import { readPartialPaymentsText, whyNotInCheckout } from "./payment-options.ts";

/** A request to place an order, with the values that its sender saw. */
export interface Placement {
  /** The order as the caller has read it. */
  order: Order;
  requester: Requester;
  way: "checkout" | OtherMethod;
  /** The total that the buyer saw, in minor units: compared, never used (docs/decisions/prices.md#price-holds). */
  shownTotalMinor: number;
  /** Version of the vendor's agreement that the buyer saw, compared and never used; null when none was shown. */
  shownAgreement: string | null;
  /** Fingerprint of the quote that the payer saw (server/billing/quotes); undefined when the buyer pays on the review page. */
  boundTo?: string;
  now: Date;
}

/** The verdict on an order. The current price is stored in each case, so that the next page shows it. */
export type PlacingVerdict =
  | { verdict: "may-be-placed"; order: Order; method: PaymentMethod }
  | { verdict: "price-changed"; total: Money }
  | { verdict: "quote-changed" };

/**
 * Checks with the vendor that the plan is on sale, that the domain is still free, and which agreement is current.
 * @returns the agreement to accept with the order; null for a family without one
 * @throws DomainError conflict when a check fails; provider_unavailable when a required answer is missing
 */
export async function checkAtVendor(
  context: Context,
  { order, shownAgreement, now }: Placement,
): Promise<OfferedAgreement | null> {
  const [agreement] = await Promise.all([
    requireAgreement(context, order, shownAgreement),
    requireDomainUnchanged(context, order),
    requireOnSale(context, order, now),
  ]);
  return agreement;
}

/**
 * Locks the order and checks it.
 * @throws DomainError bad_request before the account is given; conflict, with the reason for the buyer, for an order that is
 * paid, excluded by another order, too small or too large for this payment method, partly paid by transfer, or in need of an
 * approval by its company's rules; and for billing details that break a current rule
 */
export async function judgePlacing(
  context: Context,
  trx: Trx,
  placement: Placement,
): Promise<PlacingVerdict> {
  const { requester, shownTotalMinor, boundTo, now, way } = placement;
  const { env } = context;
  const draft = await lockDraft(trx, placement.order.id, requester);
  if (draft.account === null) throw new DomainError("bad_request", msg("refusals.noAccount"));
  requireSoldIn(env, draft.family, draft.country);
  requireBillable(env.sellers, draft.account);
  await requireControlProof(trx, draft, now);
  refuse(await whyNotPlaceableNow(trx, draft, now));

  const order = await atTodaysPrice(trx, draft, env.sellers, now);
  if (boundTo !== undefined && !(await holdsQuote(trx, order, boundTo, now)))
    return { verdict: "quote-changed" };
  refuse(tooSmallToPay({ ...order, quantity: order.line.quantity }));
  if (order.total.minor !== shownTotalMinor) return { verdict: "price-changed", total: order.total };
  await requireOrderApproval(trx, order, requester, now);
  const method = methodOf(env, order, way);
  // Once a part has arrived, the rest goes to the same account.
  refuse(await readPartialPaymentsText(trx, order));
  return { verdict: "may-be-placed", order, method };
}

/**
 * Refuses an order for a reason. @param reason for the buyer; null when there is none
 * @throws DomainError conflict
 */
function refuse(reason: ConstructorParameters<typeof DomainError>[1] | null): void {
  if (reason !== null) throw new DomainError("conflict", reason);
}

/** Whether the order's quote in force has this fingerprint. */
async function holdsQuote(trx: Trx, order: Order, hash: string, now: Date): Promise<boolean> {
  const quote = await findLatestVersion(trx, order.id);
  return quote !== null && quote.hash === hash && isInForce(quote, order, now);
}

/**
 * Selects the payment method. @throws DomainError conflict, with the reason for the buyer, when the order cannot be paid that
 * way
 */
function methodOf(env: Env, { country, total }: Order, way: Placement["way"]): PaymentMethod {
  if (way !== "checkout") {
    if (otherMethodsFor(env, country, total).includes(way)) return way;
    throw new DomainError("conflict", msg(way === "link" ? "paying.noLink" : "paying.noTransfer"));
  }
  const [method] = instantMethodsFor(env, country, total);
  if (method === undefined) throw new DomainError("conflict", whyNotInCheckout(env, country, total));
  return method;
}
