/** Place Order: accepts the terms, compares the price with the one shown, and creates the provider's order. */
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import { findOpenIntent } from "#db/payments.ts";
import type { PaymentProviderId } from "#db/tables/payments.ts";
import { getItem } from "#server/catalogue/items.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { requireProven } from "#server/fulfilment/control.ts";
import { lockDraft, reprice } from "#server/orders/draft.ts";
import { type Asker, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { tooSmallToPay } from "#server/orders/pricing.ts";
import { whyNotAsPlaced } from "#server/orders/still-possible.ts";
import { newSelection } from "#server/orders/subscription-change.ts";
import { ensureProviderOrder, openIntent } from "./intents.ts";
import { type CheckoutView, paymentProviders } from "./provider.ts";

/**
 * @param input.shownTotalMinor the total the buyer saw, in minor units: compared, never used
 * (docs/decisions/server-prices.md)
 * @returns the provider's order that is to be paid
 * @throws DomainError price_changed when the total is another now; conflict once paid, or for a total too small to be
 * paid; bad_request before the account is given
 * @throws ProviderError when the payment provider does not create the order
 */
export async function beginPayment(
  context: Context,
  input: { orderId: OrderId; asker: Asker; shownTotalMinor: number; now: Date },
): Promise<{ providerOrderId: string }> {
  const { db } = context;
  const intent = await db.transaction().execute(async (trx) => {
    let order = await lockDraft(trx, input.orderId, input.asker);
    if (order.account === null) {
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
    // The refusal comes after the commit, so that the new price is stored and the next page shows it.
    if (order.total.minor !== input.shownTotalMinor) return null;
    await moveOrder(trx, order, { payment_status: "pending", terms_accepted_at: input.now });
    return openIntent(trx, order);
  });
  if (intent === null) {
    throw new DomainError("price_changed", "Price has changed. Please check the new total below.");
  }
  return { providerOrderId: await ensureProviderOrder(context, intent) };
}

/** The provider's order of an order's open payment; null when there is nothing to pay. */
export async function openPayment(
  { db }: Pick<Context, "db">,
  order: Order,
): Promise<{ provider: PaymentProviderId; providerOrderId: string } | null> {
  if (order.paymentStatus !== "pending" || order.account === null) return null;
  const intent = await findOpenIntent(db, order.id);
  if (intent === null || intent.providerOrderId === null || intent.status !== "open") return null;
  return { provider: intent.provider, providerOrderId: intent.providerOrderId };
}

/**
 * The checkout of an order whose payment is still open; null when there is none.
 * @param cancelPath where a buyer goes who leaves the checkout without paying
 */
export async function openCheckout(
  context: Context,
  order: Order,
  cancelPath: string,
): Promise<CheckoutView | null> {
  const open = await openPayment(context, order);
  if (open === null || order.account === null) return null;
  const { firstName, lastName, email, phoneCode, phoneNumber } = order.account;
  return paymentProviders[open.provider].checkout(context, {
    orderId: order.id,
    providerOrderId: open.providerOrderId,
    amount: order.total,
    description: `${order.line.name} x ${order.line.quantity}`,
    prefill: { name: `${firstName} ${lastName}`, email, contact: `${phoneCode}${phoneNumber}` },
    cancelPath,
  });
}
