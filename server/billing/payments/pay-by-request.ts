/**
 * Paying by a link that a buyer had mailed to whoever pays. The payment is begun as the buyer's own, who accepted the terms with the
 * request and whose limits count; it is bound to what the payer was shown.
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
 * Begins the payment of a request in the checkout or by transfer. Begun before, it is found again.
 * @param input.hash of what the payer was shown
 * @throws DomainError not_found for a link that asks for no payment; conflict, in words for the payer, when nothing can be paid by it any
 * more, and as beginPayment
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

/** @throws DomainError conflict when whoever asked may no longer order for the company */
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
