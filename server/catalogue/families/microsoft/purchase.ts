/** Fulfils a Microsoft order at Partner Center: tenant, agreement, cart, checkout, then the buyer's own user. */

import { z } from "zod";
import { findAcceptance } from "#db/accounts/agreements.ts";
import { vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import type { AccountAnswers, Order } from "#db/orders/order.ts";
import { findStep, listVendorOrdersUsed } from "#db/platform/stored-steps.ts";
import { vendorLastName } from "#server/foundation/placeholders.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { PartnerOrder } from "#server/integrations/partner-center/ordering.ts";
import type { PartnerCenter } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import { forgetStep, providerStep } from "#server/platform/stored-steps/step.ts";
import type { Fulfilled } from "../fulfilled.ts";
import { requireTenant } from "../require-tenant.ts";
import type { Destination, SubscriptionAtVendor } from "../subscription-at-vendor.ts";
import { microsoftIdsOf } from "./catalogue.ts";
import { endExtension } from "./extension.ts";
import { partnerFor } from "./partner.ts";
import { makeTenant, wantedTenant } from "./purchase-tenant.ts";
import { createUserIfPossible, done } from "./purchase-user.ts";

/**
 * Runs every step that is not done yet. Idempotent: safe to call again after any failure.
 * @throws ProviderError, or SignInRefusedError when the chosen domain was taken in the meantime
 */
export async function purchase(
  context: Context,
  order: Order,
  destination: Destination | null,
): Promise<Fulfilled> {
  const { account } = order;
  if (account === null) throw new RangeError("A Microsoft order is fulfilled after its account is known");
  const partnerCenter = partnerFor(context, order, destination);
  const {
    externalId: tenantId,
    domain,
    name,
  } = destination ?? (await makeTenant(context, partnerCenter, order, account));

  await acceptAgreement(context, partnerCenter, order, account, tenantId);
  const subscriptionId = await buy(context, partnerCenter, order, tenantId);
  if (destination === null) {
    const userPrincipalName = `${wantedTenant(order).username}@${domain}`;
    await createUserIfPossible(context, partnerCenter, order, account, tenantId, userPrincipalName);
  }
  return {
    tenant: { externalId: tenantId, name, provenBy: destination === null ? "made" : null },
    domain,
    subscriptionId,
  };
}

/**
 * Records the customer's acceptance of the agreement, without which Microsoft does not sell to the tenant. The buyer accepted
 * this version when placing the order; an order placed by an earlier version of the store has accepted the one in force
 * (docs/decisions/tenants.md#customer-agreement).
 * @throws ProviderError
 */
async function acceptAgreement(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  account: AccountAnswers,
  tenantId: string,
): Promise<void> {
  const { firstName, email, phoneNumber } = account;
  const accepted = await findAcceptance(context.db, order.id);
  const person = accepted?.person ?? { firstName, lastName: account.lastName, email, phoneNumber };
  await providerStep(context, order.id, "agreement", done, async ({ requestId }) => {
    await partnerCenter.ensureAgreement(
      tenantId,
      {
        contact: { ...person, lastName: vendorLastName(person) },
        templateId: accepted?.version ?? null,
        dateAgreed: accepted?.acceptedAt ?? order.termsAcceptedAt ?? new Date(),
      },
      requestId,
    );
    return {};
  });
}

const purchaseResult = z.object({ orderId: z.string(), subscriptionId: z.string().nullable() });

/** Null order id when an earlier checkout of the cart has succeeded, and its response was lost. */
const checkoutResult = purchaseResult.extend({ orderId: z.string().nullable() });

/**
 * Buys a lapsed subscription's plan again, in the same tenant. If Microsoft has extended the old one, that ends afterwards, so
 * that no user is without a licence in between.
 * @returns Microsoft's id of the new subscription
 * @throws ProviderError
 */
export async function buyAgain(context: Context, order: Order, held: SubscriptionAtVendor): Promise<string> {
  if (order.account === null) throw new RangeError("A renewal is sold to somebody");
  const destination = requireTenant(held);
  const { externalId } = destination;
  const partnerCenter = partnerFor(context, order, destination);
  // The tenant of a synced subscription may have accepted the agreement through another reseller, long ago.
  await acceptAgreement(context, partnerCenter, order, order.account, externalId);
  const subscriptionId = await buy(context, partnerCenter, order, externalId);
  await endExtension(context, order, held);
  return subscriptionId;
}

async function buy(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  tenantId: string,
): Promise<string> {
  const cart = await openCart(context, partnerCenter, order, tenantId);
  const checkout = await providerStep(
    context,
    order.id,
    "checkout",
    checkoutResult,
    async ({ requestId }) => {
      const reply = await partnerCenter.checkoutCart(tenantId, cart.cartId, requestId);
      return reply.outcome === "submitted" ? { orderId: null, subscriptionId: null } : purchased(reply.order);
    },
  );
  const { orderId, subscriptionId } =
    checkout.orderId === null
      ? await providerStep(context, order.id, "placed-order", purchaseResult, async () =>
          purchased(await findPlaced(context, partnerCenter, order, tenantId, cart)),
        )
      : { ...checkout, orderId: checkout.orderId };
  if (subscriptionId !== null) return subscriptionId;
  const provisioned = purchased(await partnerCenter.getOrder(tenantId, orderId));
  if (provisioned.subscriptionId === null) {
    throw new ProviderError("microsoft", "transient", "GET order", { code: "no_subscription_yet" });
  }
  return provisioned.subscriptionId;
}

function purchased({ id, lineItems }: PartnerOrder): z.infer<typeof purchaseResult> {
  return { orderId: id, subscriptionId: lineItems[0]?.subscriptionId ?? null };
}

/** Carts stored by earlier versions have no times. */
const cartResult = z.object({
  cartId: z.string(),
  createdAt: z.iso.datetime().nullable().default(null),
  expiresAt: z.iso.datetime().nullable().default(null),
});

type StoredCart = z.infer<typeof cartResult>;

/** Returns the order's cart, or a new one when the first has expired and was certainly not checked out. */
async function openCart(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  tenantId: string,
): Promise<StoredCart> {
  const { db } = context;
  const cart = await createCart(context, partnerCenter, order, tenantId);
  if (cart.expiresAt === null || new Date() < new Date(cart.expiresAt)) return cart;
  const checkout = await findStep(db, order.id, "checkout");
  if (checkout !== null && (checkout.succeeded || checkout.unanswered || checkout.doubtful)) return cart;
  await forgetStep(context, order.id, "cart");
  return createCart(context, partnerCenter, order, tenantId);
}

function createCart(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  tenantId: string,
): Promise<StoredCart> {
  const { line } = order;
  return providerStep(context, order.id, "cart", cartResult, async ({ requestId, look }) => {
    const { catalogItemId } = await look(async () => {
      const { productId, skuId } = await microsoftIdsOf(context, order);
      return partnerCenter.findAvailability(productId, skuId, order.country, line.term);
    });
    const created = await partnerCenter.createCart(
      tenantId,
      [
        {
          catalogItemId,
          quantity: line.quantity,
          billingCycle: line.billingCycle,
          termDuration: line.term,
        },
      ],
      requestId,
    );
    return {
      cartId: created.cartId,
      createdAt: created.createdAt.toISOString(),
      expiresAt: created.expiresAt.toISOString(),
    };
  });
}

/**
 * Finds the purchase of an earlier checkout of the cart, when its response was lost. Orders do not name their cart, so it is the
 * first order since the cart was created, for the same item, term and quantity, that no other order of ours uses.
 * @throws ProviderError (transient) while Microsoft does not list it
 */
async function findPlaced(
  context: Context,
  partnerCenter: PartnerCenter,
  order: Order,
  tenantId: string,
  cart: StoredCart,
): Promise<PartnerOrder> {
  const { line } = order;
  const sku = vendorKey(await microsoftIdsOf(context, order));
  const since = cart.createdAt === null ? (order.paidAt ?? order.createdAt) : new Date(cart.createdAt);
  const alike = (await partnerCenter.listOrders(tenantId))
    .filter(
      ({ createdAt, lineItems }) =>
        createdAt >= since &&
        lineItems.some(
          ({ offerId, quantity, termDuration }) =>
            offerId.startsWith(`${sku}:`) && quantity === line.quantity && termDuration === line.term,
        ),
    )
    .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const others = new Set(
    await listVendorOrdersUsed(
      context.db,
      alike.map(({ id }) => id),
      { except: order.id },
    ),
  );
  const placed = alike.find(({ id }) => !others.has(id));
  if (placed === undefined) {
    throw new ProviderError("microsoft", "transient", "GET orders", { code: "order_not_listed" });
  }
  return placed;
}
