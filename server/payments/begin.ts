/** Place Order: the terms are accepted, the price is held against what was shown, and the provider is asked for an order. */
import type { OrderId } from "#db/ids.ts";
import { findOpenIntent } from "#db/payments.ts";
import { getItem } from "#server/catalogue/items.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { requireProven } from "#server/fulfilment/control.ts";
import { lockDraft, reprice } from "#server/orders/draft.ts";
import { type Asker, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import type { AccountAnswers, Order } from "#server/orders/order.ts";
import { tooSmallToPay } from "#server/orders/pricing.ts";
import { whyNotAsPlaced } from "#server/orders/still-possible.ts";
import { newSelection } from "#server/orders/subscription-change.ts";
import type { Money } from "#server/pricing/money.ts";
import { ensureProviderOrder, openIntent } from "./intents.ts";

/** What either checkout, script or form, needs to take the money. */
export interface Checkout {
  keyId: string;
  providerOrderId: string;
  amount: Money;
  description: string;
  prefill: { name: string; email: string; contact: string };
}

/**
 * @param input.shownTotalMinor the total the buyer saw, in minor units: compared, never used (docs/decisions/server-prices.md)
 * @throws DomainError price_changed when it is another now; conflict once paid, or for a total too small to be paid;
 *   bad_request before the account is given
 * @throws ProviderError when the payment provider does not make the order
 */
export async function beginPayment(
  context: Context,
  input: { orderId: OrderId; asker: Asker; shownTotalMinor: number; now: Date },
): Promise<Checkout> {
  const { db } = context;
  const begun = await db.transaction().execute(async (trx) => {
    let order = await lockDraft(trx, input.orderId, input.asker);
    const { account } = order;
    if (account === null) {
      throw new DomainError("bad_request", "Please tell us who the order is for first.");
    }
    await requireProven(trx, order, input.now);
    const refused = await whyNotAsPlaced(trx, order, input.now);
    if (refused !== null) throw new DomainError("conflict", refused);
    const selection = await newSelection(trx, order, input.now);
    if (selection !== null) {
      const item = await getItem(trx, order.itemId, { includeRetired: order.subscriptionId !== null });
      await reprice(trx, order, item, selection, input.now);
      order = await lockOrder(trx, input.orderId);
    }
    const tooSmall = tooSmallToPay({ ...order, quantity: order.line.quantity });
    if (tooSmall !== null) throw new DomainError("conflict", tooSmall);
    // The new price is kept, so that the page shown next has it: the refusal comes after the commit.
    if (order.total.minor !== input.shownTotalMinor) return null;
    await moveOrder(trx, order, { payment_status: "pending", terms_accepted_at: input.now });
    return { order, account, intent: await openIntent(trx, order) };
  });
  if (begun === null) {
    throw new DomainError("price_changed", "Price has changed. Please check the new total below.");
  }
  const { order, account, intent } = begun;
  return checkoutOf(context, order, account, await ensureProviderOrder(context, intent));
}

/** The checkout of an order whose payment has begun and is still open; null when there is none to go on with. */
export async function openCheckout(context: Context, order: Order): Promise<Checkout | null> {
  if (order.paymentStatus !== "pending" || order.account === null) return null;
  const intent = await findOpenIntent(context.db, order.id);
  if (intent === null || intent.provider_order_id === null || intent.status !== "open") return null;
  return checkoutOf(context, order, order.account, intent.provider_order_id);
}

function checkoutOf(
  context: Context,
  order: Order,
  account: AccountAnswers,
  providerOrderId: string,
): Checkout {
  return {
    keyId: context.razorpay.keyId,
    providerOrderId,
    amount: order.total,
    description: `${order.line.name} x ${order.line.quantity}`,
    prefill: {
      name: `${account.firstName} ${account.lastName}`,
      email: account.email,
      contact: `${account.phoneCode}${account.phoneNumber}`,
    },
  };
}
