/**
 * Place Order, in the checkout, through a payment link or by transfer: accepts the terms, compares the price with the one shown, and creates the
 * provider's order.
 */

import { findOpenIntent, type PaymentIntent } from "#db/billing/payment-intents.ts";
import type { AccountOrderKey } from "#db/billing/payment-keys.ts";
import type { OrderId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { recordConsent } from "#server/accounts/consents.ts";
import { requireOrderApproval } from "#server/billing/quotes/order-approval.ts";
import { findLatestVersion, isInForce } from "#server/billing/quotes/quote.ts";
import { formatMoney } from "#server/catalogue/pricing/format.ts";
import {
  checkoutChoicesFor,
  instantMethodsFor,
  type OtherMethod,
  otherMethodsFor,
} from "#server/catalogue/pricing/payment-methods.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import * as paths from "#server/foundation/paths.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import { requireControlProof } from "#server/fulfilment/control-proof.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { acceptAgreement, requireAgreement } from "#server/orders/agreement.ts";
import { requireBillable } from "#server/orders/billing-problem.ts";
import { requireDomainUnchanged } from "#server/orders/domain.ts";
import { lockDraft } from "#server/orders/draft.ts";
import { getOrderFor, type Requester } from "#server/orders/find.ts";
import { requireSoldIn } from "#server/orders/market-availability.ts";
import { requireOnSale } from "#server/orders/on-sale.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { whyNotPlaceableNow } from "#server/orders/order-preconditions.ts";
import { tooSmallToPay } from "#server/orders/pricing.ts";
import { atTodaysPrice } from "#server/orders/refresh-price.ts";
import type { Context } from "#server/platform/context.ts";
import type { Env } from "#server/platform/env.ts";
import type { PaymentMethod } from "#server/platform/settings/payments.ts";
import { isAccountConfigured } from "./accounts.ts";
import { openTransfer, requestTransfer, supersedeExpiredProforma } from "./bank-transfer/open-account.ts";
import { ensureProviderOrder, openIntent } from "./intents.ts";
import { createPaymentLink, requestPaymentLink, reusePaymentLink } from "./payment-link/create-link.ts";
import { readPartialPaymentsText, whyNotInCheckout } from "./payment-options.ts";
import type { CheckoutRequest, CheckoutView } from "./provider.ts";
import { isMisconfigured, openUnlessRefused } from "./refused-way.ts";
import { paymentProviders, providerOf } from "./registry.ts";

/**
 * @param input.shownTotalMinor the total the buyer saw, in minor units: compared, never used
 * (docs/decisions/server-prices.md)
 * @param input.boundTo the hash of the quote that whoever pays was shown (server/billing/quotes); left out where the buyer pays on the review
 * @param input.shownAgreement the version of the vendor's agreement that the buyer saw, compared and never used; null when none was
 * named
 * @returns the provider's order that is to be paid
 * @throws DomainError price_changed when the total is another now; conflict once paid, for a total too small to be paid,
 * for one above every ceiling of the checkout, for an order of which a part has been paid by transfer,
 * for one that needs an approver's yes by its company's rules,
 * for a plan that its vendor no longer sells, a domain that has changed or an agreement that has a new version;
 * for billing details that break a rule of today; provider_unavailable when the vendor of a domain is silent; bad_request before the
 * account is given
 * @throws DomainError provider_refused when the payment provider refuses to create the order; provider_unavailable when it rejects our key
 * @throws ProviderError while it is silent
 */
export async function beginPayment(
  context: Context,
  input: {
    orderId: OrderId;
    requester: Requester;
    shownTotalMinor: number;
    shownAgreement: string | null;
    boundTo?: string;
    now: Date;
  },
): Promise<{ providerOrderId: string }> {
  const intent = await acceptOrder(context, { ...input, way: "checkout" });
  const providerOrderId = await openUnlessRefused(context, intent, () =>
    ensureProviderOrder(context, intent),
  ).catch((error: unknown) => {
    throw isMisconfigured(error) ? new DomainError("provider_unavailable", msg("paying.notWorking")) : error;
  });
  if (providerOrderId === null) throw new DomainError("provider_refused", msg("paying.checkoutRefused"));
  return { providerOrderId };
}

/**
 * The same for a buyer who pays by transfer: issues a proforma and opens its account. When the provider does not open it at once, a
 * job does.
 * @throws DomainError as beginPayment
 */
export async function beginTransfer(
  context: Context,
  input: Parameters<typeof beginPayment>[1],
): Promise<void> {
  const { id } = await acceptOrder(context, { ...input, way: "transfer" });
  try {
    await openTransfer(context, id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error, orderId: input.orderId }, "the account of a proforma is opened later");
  }
}

/**
 * The same for a buyer who pays through a link: makes it and mails it, once for an order and its price. When the provider does not make it
 * at once, a job does.
 * @throws DomainError as beginPayment
 */
export async function beginLink(context: Context, input: Parameters<typeof beginPayment>[1]): Promise<void> {
  const { id } = await acceptOrder(context, { ...input, way: "link" });
  try {
    await createPaymentLink(context, id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error, orderId: input.orderId }, "a payment link is made later");
  }
}

type Way = "checkout" | OtherMethod;

async function acceptOrder(
  context: Context,
  input: Parameters<typeof beginPayment>[1] & { way: Way },
): Promise<PaymentIntent> {
  const { db } = context;
  // Outside the transaction: no lock is held while a vendor is waited for.
  const current = await getOrderFor(db, input.orderId, input.requester);
  const [agreement] = await Promise.all([
    requireAgreement(context, current, input.shownAgreement),
    requireDomainUnchanged(context, current),
    requireOnSale(context, current, input.now),
  ]);
  const outcome = await db.transaction().execute(async (trx) => {
    let order = await lockDraft(trx, input.orderId, input.requester);
    if (order.account === null) {
      throw new DomainError("bad_request", msg("refusals.noAccount"));
    }
    requireSoldIn(context.env, order.family, order.country);
    requireBillable(context.env.sellers, order.account);
    await requireControlProof(trx, order, input.now);
    const refused = await whyNotPlaceableNow(trx, order, input.now);
    if (refused !== null) throw new DomainError("conflict", refused);
    order = await atTodaysPrice(trx, order, context.env.sellers, input.now);
    if (input.boundTo !== undefined && !(await holdsQuote(trx, order, input.boundTo, input.now))) return null;
    const tooSmall = tooSmallToPay({ ...order, quantity: order.line.quantity });
    if (tooSmall !== null) throw new DomainError("conflict", tooSmall);
    // The refusal comes after the commit, so that the new price is stored and the next page shows it.
    if (order.total.minor !== input.shownTotalMinor) return { changed: order.total };
    await requireOrderApproval(trx, order, input.requester, input.now);
    const method = requireMethod(context.env, order, input.way);
    await requireNoParts(trx, order);
    await moveOrder(trx, order, { paymentStatus: "pending", termsAcceptedAt: input.now });
    if (order.userId !== null) {
      const { userId, id: orderId } = order;
      const language = input.requester.language ?? null;
      await recordConsent(trx, { userId, orderId, text: "terms", language, at: input.now });
    }
    if (agreement !== null) {
      await acceptAgreement(trx, order, agreement, { userId: input.requester.userId, now: input.now });
    }
    if (input.way === "transfer") await supersedeExpiredProforma(trx, order.id, input.now);
    if (input.way === "link") await reusePaymentLink(trx, order, input.now);
    const opened = await openIntent(context, trx, order, providerOf[method]);
    if (input.way === "transfer") await requestTransfer(context, trx, order, opened, input.now);
    if (input.way === "link") await requestPaymentLink(trx, opened);
    return { opened };
  });
  if (outcome === null) throw new DomainError("price_changed", msg("refusals.priceChanged"));
  const { changed, opened } = outcome;
  if (changed !== undefined) {
    const before = money(input.shownTotalMinor, changed.currency);
    throw new DomainError(
      "price_changed",
      msg("refusals.totalChanged", { before: formatMoney(before), after: formatMoney(changed) }),
    );
  }
  return opened;
}

/** Whether the order's quote in force is the one with this hash. */
async function holdsQuote(trx: Trx, order: Order, hash: string, now: Date): Promise<boolean> {
  const quote = await findLatestVersion(trx, order.id);
  return quote !== null && quote.hash === hash && isInForce(quote, order, now);
}

/** @throws DomainError conflict, in words for the buyer, when the order cannot be paid that way */
function requireMethod(env: Env, { country, total }: Order, way: Way): PaymentMethod {
  if (way !== "checkout") {
    if (otherMethodsFor(env, country, total).includes(way)) return way;
    throw new DomainError("conflict", msg(way === "link" ? "paying.noLink" : "paying.noTransfer"));
  }
  const [method] = instantMethodsFor(env, country, total);
  if (method === undefined) throw new DomainError("conflict", whyNotInCheckout(env, country, total));
  return method;
}

/** Once a part has arrived, the rest goes to the same account. @throws DomainError conflict */
async function requireNoParts(trx: Trx, order: Order): Promise<void> {
  const said = await readPartialPaymentsText(trx, order);
  if (said !== null) throw new DomainError("conflict", said);
}

/** The provider's order of an order's open payment; null when there is nothing to pay. */
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
 * The checkout of an order whose payment is still open; null when there is none.
 * @param page.cancelPath where a buyer goes who leaves the checkout without paying
 * @param page.payer whoever pays by a link that was mailed to them: the checkout is not told the buyer's name, email and telephone, and
 * leads back to a page that needs no account
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
