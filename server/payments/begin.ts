/** Place Order: accepts the terms, compares the price with the one shown, and creates the provider's order. */
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import { type AccountOrderKey, findOpenIntent } from "#db/payments.ts";
import { getItem } from "#server/catalogue/items.ts";
import type { Context } from "#server/context.ts";
import { DomainError } from "#server/errors.ts";
import { requireProven } from "#server/fulfilment/control.ts";
import { acceptAgreement, requireAgreement } from "#server/orders/agreement.ts";
import { requireDomainStill } from "#server/orders/domain.ts";
import { lockDraft, reprice } from "#server/orders/draft.ts";
import { type Asker, getOrderFor, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { requireOnSale } from "#server/orders/on-sale.ts";
import { requireOpen } from "#server/orders/open.ts";
import { tooSmallToPay } from "#server/orders/pricing.ts";
import { whyNotAsPlaced } from "#server/orders/still-possible.ts";
import { newSelection } from "#server/orders/subscription-change.ts";
import { isAccountSet } from "./accounts.ts";
import { ensureProviderOrder, openIntent } from "./intents.ts";
import { type CheckoutView, paymentProviders } from "./provider.ts";

/**
 * @param input.shownTotalMinor the total the buyer saw, in minor units: compared, never used
 * (docs/decisions/server-prices.md)
 * @param input.shownAgreement the version of the vendor's agreement that the buyer saw, compared and never used; null when none was
 * named
 * @returns the provider's order that is to be paid
 * @throws DomainError price_changed when the total is another now; conflict once paid, for a total too small to be paid,
 * for a plan that its vendor no longer sells, a domain that has changed or an agreement that has a new version;
 * provider_unavailable when the vendor of a domain is silent; bad_request before the account is given
 * @throws ProviderError when the payment provider does not create the order
 */
export async function beginPayment(
  context: Context,
  input: {
    orderId: OrderId;
    asker: Asker;
    shownTotalMinor: number;
    shownAgreement: string | null;
    now: Date;
  },
): Promise<{ providerOrderId: string }> {
  const { db } = context;
  // Outside the transaction: no lock is held while a vendor is waited for.
  const asked = await getOrderFor(db, input.orderId, input.asker);
  const [agreement] = await Promise.all([
    requireAgreement(context, asked, input.shownAgreement),
    requireDomainStill(context, asked),
    requireOnSale(context, asked, input.now),
  ]);
  const intent = await db.transaction().execute(async (trx) => {
    let order = await lockDraft(trx, input.orderId, input.asker);
    if (order.account === null) {
      throw new DomainError("bad_request", "Please tell us who the order is for first.");
    }
    requireOpen(context.env, order.family, order.country);
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
    await moveOrder(trx, order, { paymentStatus: "pending", termsAcceptedAt: input.now });
    if (agreement !== null) {
      await acceptAgreement(trx, order, agreement, { userId: input.asker.userId, now: input.now });
    }
    return openIntent(context, trx, order);
  });
  if (intent === null) {
    throw new DomainError("price_changed", "Price has changed. Please check the new total below.");
  }
  return { providerOrderId: await ensureProviderOrder(context, intent) };
}

/** The provider's order of an order's open payment; null when there is nothing to pay. */
export async function openPayment(
  { db, env }: Pick<Context, "db" | "env">,
  order: Order,
): Promise<AccountOrderKey | null> {
  if (order.paymentStatus !== "pending" || order.account === null) return null;
  const intent = await findOpenIntent(db, order.id);
  if (intent === null || intent.providerOrderId === null || intent.status !== "open") return null;
  if (!isAccountSet(env, intent)) return null;
  return { provider: intent.provider, account: intent.account, providerOrderId: intent.providerOrderId };
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
  return paymentProviders[open.provider].checkout(context, open.account, {
    orderId: order.id,
    providerOrderId: open.providerOrderId,
    amount: order.total,
    description: `${order.line.name} x ${order.line.quantity}`,
    prefill: { name: `${firstName} ${lastName}`, email, contact: `${phoneCode}${phoneNumber}` },
    cancelPath,
  });
}
