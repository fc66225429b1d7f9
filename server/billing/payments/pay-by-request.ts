/**
 * Payment by a link that a buyer had mailed to a payer. The payment is begun in the name of the buyer, who accepted the terms
 * with the request and whose limits apply; it is bound to the quote that the payer saw.
 */
import type { Order } from "#db/orders/order.ts";
import type { Db } from "#db/tables/index.ts";
import { findMembership } from "#server/accounts/customers.ts";
import {
  openQuoteRequest,
  type QuoteRequest,
  requestClosedMessages,
} from "#server/billing/quotes/requests.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { mayOrder } from "#server/orders/draft.ts";
import { mayOpenOrder, type Requester } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { beginPayment, beginTransfer } from "./begin.ts";

/**
 * Begins the payment of a request in the checkout or by bank transfer. An existing payment is found again.
 * @param input.hash fingerprint of the quote that the payer saw
 * @throws DomainError not_found for a link that is not about a payment; conflict, with the reason for the payer, when the link
 * is closed; and as beginPayment
 * @throws ProviderError when the payment provider does not create the order
 */
export async function payByRequest(
  context: Context,
  input: { token: string; hash: string; way: "checkout" | "transfer"; now: Date },
): Promise<void> {
  const { now, hash } = input;
  const opened = await openQuoteRequest(context.db, input.token, now);
  if (opened === null || opened.request.kind !== "pay") throw notFound();
  const { request, order, quote } = opened;
  if (opened.state !== "open") throw new DomainError("conflict", requestClosedMessages[opened.state]);
  if (quote.hash !== hash) throw new DomainError("conflict", requestClosedMessages.changed);
  const begin = { checkout: beginPayment, transfer: beginTransfer }[input.way];
  await begin(context, {
    order,
    requester: await buyerOf(context.db, request, order),
    shownTotalMinor: quote.facts.totalMinor,
    shownAgreement: request.agreement,
    boundTo: hash,
    now,
  });
}

/** Restores the buyer as requester. @throws DomainError conflict when the buyer may no longer order for the company */
async function buyerOf(db: Db, { askedBy }: QuoteRequest, order: Order): Promise<Requester> {
  const company =
    askedBy === null || order.customerId === null
      ? null
      : await findMembership(db, askedBy, order.customerId);
  const requester: Requester = { userId: askedBy, customer: company, draftKey: null };
  if (askedBy === null || !mayOpenOrder(order, requester) || !mayOrder(requester))
    throw new DomainError("conflict", msg("quotes.buyerGone"));
  return requester;
}
