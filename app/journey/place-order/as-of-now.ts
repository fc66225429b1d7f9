/**
 * Current facts about an order for its review: today's price and tax, the tax register's doubts, and the administrator's
 * approval.
 */
import type { Order } from "#db/orders/order.ts";
import { gstinWarning } from "#server/accounts/gst-lookup.ts";
import type { MessageDescriptor } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { requestedAdministrator } from "#server/fulfilment/administrators.ts";
import { approvalOf, isApprovalPending } from "#server/fulfilment/approval.ts";
import { priceOrderNow } from "#server/orders/subscription-change.ts";
import { computeTaxNow, hasTax } from "#server/orders/supply.ts";
import type { RequestContext } from "../../http/request-context.ts";

/**
 * Returns the order with today's price if its price hold has expired, and with today's tax in any case. New figures are stored
 * only when Place Order is pressed.
 */
export async function freshlyPriced(request: RequestContext, order: Order): Promise<Order> {
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
export async function confirmationOf({ context: { db } }: RequestContext, order: Order) {
  const approval = await approvalOf(db, order, new Date());
  if (!isApprovalPending(approval)) return null;
  return {
    domain: approval.domain,
    href: paths.approval(order.id),
    requestedEmail: await requestedAdministrator(db, order.id, approval.domain),
  };
}

/** The tax register's objections to the buyer's GSTIN. */
export async function doubtsIn(
  { context: { db } }: RequestContext,
  { account }: Order,
): Promise<MessageDescriptor | null> {
  if (account === null || account.gst_code === null) return null;
  return gstinWarning(db, { gstin: account.gst_code, companyName: account.companyName });
}
