/**
 * Place Order, in the checkout, through a payment link or by bank transfer: checks the order (placing.ts) and creates the
 * provider's order.
 */

import { findOpenIntent, type PaymentIntent } from "#db/billing/payment-intents.ts";
import type { AccountOrderKey } from "#db/billing/payment-keys.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { recordConsent } from "#server/accounts/consents.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import { checkoutChoicesFor } from "#server/catalogue/pricing/payment-methods.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { acceptAgreement, type OfferedAgreement } from "#server/orders/agreement.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import type { Context } from "#server/platform/context.ts";
import type { PaymentMethod } from "#server/platform/settings/payments.ts";
import { isAccountConfigured } from "./accounts.ts";
import { openTransfer, requestTransfer, supersedeExpiredProforma } from "./bank-transfer/open-account.ts";
import { ensureProviderOrder, openIntent } from "./intents.ts";
import { createPaymentLink, requestPaymentLink, reusePaymentLink } from "./payment-link/create-link.ts";
import { checkAtVendor, judgePlacing, type Placement } from "./placing.ts";
import type { CheckoutRequest, CheckoutView } from "./provider.ts";
import { isMisconfigured, openUnlessRefused } from "./refused-way.ts";
import { paymentProviders, providerOf } from "./registry.ts";

/**
 * Places an order that is paid in the checkout.
 * @returns the provider's order to pay
 * @throws DomainError as checkAtVendor and judgePlacing; price_changed when the total, or the quote that the payer saw, has
 * changed; provider_refused when the payment provider refuses to create the order; provider_unavailable when it rejects our key
 * @throws ProviderError while it does not answer
 */
export async function beginPayment(
  context: Context,
  placement: Omit<Placement, "way">,
): Promise<{ providerOrderId: string }> {
  const intent = await acceptOrder(context, { ...placement, way: "checkout" });
  const providerOrderId = await openUnlessRefused(context, intent, () =>
    ensureProviderOrder(context, intent),
  ).catch((error: unknown) => {
    throw isMisconfigured(error) ? new DomainError("provider_unavailable", msg("paying.notWorking")) : error;
  });
  if (providerOrderId === null) throw new DomainError("provider_refused", msg("paying.checkoutRefused"));
  return { providerOrderId };
}

/**
 * Places an order that is paid by bank transfer: issues a proforma and opens its virtual account. If the provider does not open
 * it now, a job does.
 * @throws DomainError as beginPayment
 */
export async function beginTransfer(context: Context, placement: Omit<Placement, "way">): Promise<void> {
  const { id } = await acceptOrder(context, { ...placement, way: "transfer" });
  try {
    await openTransfer(context, id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn(
      { err: error, orderId: placement.order.id },
      "the account of a proforma is opened later",
    );
  }
}

/**
 * Places an order that is paid through a link: creates the link and mails it, once per order and price. If the provider does
 * not create it now, a job does.
 * @throws DomainError as beginPayment
 */
export async function beginLink(context: Context, placement: Omit<Placement, "way">): Promise<void> {
  const { id } = await acceptOrder(context, { ...placement, way: "link" });
  try {
    await createPaymentLink(context, id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error, orderId: placement.order.id }, "a payment link is made later");
  }
}

async function acceptOrder(context: Context, placement: Placement): Promise<PaymentIntent> {
  const agreement = await checkAtVendor(context, placement);
  const outcome = await context.db.transaction().execute(async (trx) => {
    const judged = await judgePlacing(context, trx, placement);
    return judged.verdict === "may-be-placed"
      ? { opened: await openAccepted(context, trx, { ...placement, ...judged, agreement }) }
      : judged;
  });
  if ("opened" in outcome) return outcome.opened;
  // Throw only after the commit, so that the new price is stored and the next page shows it.
  if (outcome.verdict === "quote-changed")
    throw new DomainError("price_changed", msg("refusals.priceChanged"));
  const before = formatMoney(money(placement.shownTotalMinor, outcome.total.currency));
  const after = formatMoney(outcome.total);
  throw new DomainError("price_changed", msg("refusals.totalChanged", { before, after }));
}

/** Records the buyer's acceptance of the terms and the agreement, and opens the payment. */
async function openAccepted(
  context: Context,
  trx: Trx,
  placed: Placement & { method: PaymentMethod; agreement: OfferedAgreement | null },
): Promise<PaymentIntent> {
  const { order, requester, way, agreement, now } = placed;
  await moveOrder(trx, order, { paymentStatus: "pending", termsAcceptedAt: now });
  if (order.userId !== null) {
    const language = requester.language ?? null;
    await recordConsent(trx, { userId: order.userId, orderId: order.id, text: "terms", language, at: now });
  }
  if (agreement !== null) await acceptAgreement(trx, order, agreement, { userId: requester.userId, now });
  if (way === "transfer") await supersedeExpiredProforma(trx, order.id, now);
  if (way === "link") await reusePaymentLink(trx, order, now);
  const opened = await openIntent(context, trx, order, providerOf[placed.method]);
  if (way === "transfer") await requestTransfer(context, trx, order, opened, now);
  if (way === "link") await requestPaymentLink(trx, opened);
  return opened;
}

/** Finds the provider's order of an order's open payment; null when there is nothing to pay. */
export async function openPayment(
  { db, env }: Pick<Context, "db" | "env">,
  order: Order,
): Promise<AccountOrderKey | null> {
  if (order.paymentStatus !== "pending" || order.account === null) return null;
  const intent = await findOpenIntent(db, order.id);
  if (intent === null || intent.providerOrderId === null || intent.status !== "open") return null;
  if (!isAccountConfigured(env, intent)) return null;
  return { provider: intent.provider, account: intent.account, providerOrderId: intent.providerOrderId };
}

/**
 * Builds the checkout of an order whose payment is open; null when there is none.
 * @param page.cancelPath path for a buyer who leaves the checkout without paying
 * @param page.payer a payer with a mailed link: the checkout does not receive the buyer's name, email and telephone, and
 * returns to a page that needs no account
 */
export async function openCheckout(
  context: Context,
  order: Order,
  { payer, ...page }: Pick<CheckoutRequest, "cancelPath" | "language"> & { payer?: { email: string } },
): Promise<CheckoutView | null> {
  const open = await openPayment(context, order);
  if (open === null || order.account === null) return null;
  const { email, phoneCode, phoneNumber } = order.account;
  return paymentProviders[open.provider].checkout(context, open.account, {
    orderId: order.id,
    providerOrderId: open.providerOrderId,
    amount: order.total,
    description: `${order.line.name} x ${order.line.quantity}`,
    prefill:
      payer === undefined
        ? { name: fullName(order.account), email, contact: `${phoneCode}${phoneNumber}` }
        : { name: "", email: payer.email, contact: "" },
    returnPath: paths.paymentReturn(payer === undefined ? {} : { by: "link" }),
    choices: checkoutChoicesFor(context.env, order.country, order.total),
    ...page,
  });
}
