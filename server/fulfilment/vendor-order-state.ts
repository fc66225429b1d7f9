/** Finds out whether the vendor has fulfilled a stopped order. */
import type { Order } from "#db/orders/order.ts";
import { findByExternalId } from "#db/orders/subscriptions.ts";
import type { TenantRules } from "#server/catalogue/families/family.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { Destination } from "#server/catalogue/families/subscription-at-vendor.ts";
import { assertNever } from "#server/foundation/errors.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { isRunning } from "#server/orders/subscriptions/subscription.ts";
import type { Context } from "#server/platform/context.ts";
import { domainOf, findPlace, heldOf, seatsAfter, skuIn, skuKeyOf } from "./mark-fulfilled.ts";

/** The state of an order at its vendor. */
export type VendorOrderState =
  /** The vendor has the ordered subscription; `reference` is its id. */
  | { state: "found"; reference: string }
  /** The vendor has nothing for the order. `hasAccount`: the tenant that the order would create exists. */
  | { state: "notFound"; hasAccount: boolean }
  | { state: "unclear"; because: string };

/**
 * Reads whether an order was fulfilled at its vendor without our knowledge.
 * @throws ProviderError, or DomainError when the vendor is not called
 */
export async function readVendorOrderState(context: Context, order: Order): Promise<VendorOrderState> {
  const { tenants, label } = families[order.family];
  // A family without a vendor is fulfilled in our own database only.
  if (tenants === null) return { state: "notFound", hasAccount: false };
  const seen = await forOrder(order.id, () => lookAtKind(context, order, tenants));
  return seen ?? { state: "unclear", because: `${label} does not show the subscription.` };
}

/** Reads the state for the order's kind. @returns null when the vendor does not show the subscription that the order changes */
function lookAtKind(context: Context, order: Order, tenants: TenantRules): Promise<VendorOrderState | null> {
  switch (order.kind) {
    case "ADD":
      return lookAtSeats(context, order, tenants);
    case "RENEW":
      return lookAtRenewal(context, order, tenants);
    case "NEW":
    case "TUP":
    case "ADDON":
      return lookAtPurchase(context, order, tenants);
    default:
      return assertNever(order.kind);
  }
}

async function lookAtPurchase(
  context: Context,
  order: Order,
  tenants: TenantRules,
): Promise<VendorOrderState> {
  const { label } = families[order.family];
  if (order.tenantId === null && domainOf(order, tenants) === "")
    return {
      state: "unclear",
      because: `The buyer hadn't chosen an account, and may have since. Ask them, and check at ${label}.`,
    };
  const place = await findPlace(context, order, tenants);
  if (place === null) return { state: "notFound", hasAccount: false };
  return boughtIn(context, order, tenants, place);
}

/** Finds a subscription that matches the order and belongs to no order of ours. */
async function boughtIn(
  context: Context,
  order: Order,
  tenants: TenantRules,
  place: Pick<Destination, "externalId" | "country" | "domain">,
): Promise<VendorOrderState> {
  const { db } = context;
  const sku = await skuKeyOf(context, order);
  const found: string[] = [];
  for (const { says, reading } of await tenants.listHeld(context, place, { now: new Date() })) {
    const isOrdered =
      says.state === "active" && reading.is !== "ended" && says.quantity === order.line.quantity;
    const other = skuIn(reading);
    if (!isOrdered || (sku !== null && other !== null && other !== sku)) continue;
    if ((await findByExternalId(db, order.family, says.externalId)) === null) found.push(says.externalId);
  }
  const [reference, ...more] = found;
  if (reference === undefined)
    return { state: "notFound", hasAccount: order.tenantId === null && order.signIn?.mode !== "existing" };
  if (more.length === 0) return { state: "found", reference };
  return {
    state: "unclear",
    because: `${found.length} subscriptions in ${place.domain} may be what was ordered.`,
  };
}

async function lookAtSeats(
  context: Context,
  order: Order,
  tenants: TenantRules,
): Promise<VendorOrderState | null> {
  const held = await heldOf(context.db, order);
  const says =
    held.destination && (await tenants.findHeld(context, held.destination, held.subscription.externalId));
  if (says === null) return null;
  if (says.quantity === (await seatsAfter(context.db, order, held)))
    return { state: "found", reference: says.externalId };
  if (says.quantity === held.subscription.quantity) return { state: "notFound", hasAccount: false };
  return {
    state: "unclear",
    because: `It has ${says.quantity ?? "no"} licenses there but ${held.subscription.quantity} here.`,
  };
}

async function lookAtRenewal(
  context: Context,
  order: Order,
  tenants: TenantRules,
): Promise<VendorOrderState | null> {
  const { subscription, destination } = await heldOf(context.db, order);
  if (destination === null) return null;
  if (!isRunning(subscription, new Date())) return boughtIn(context, order, tenants, destination);
  const says = await tenants.findHeld(context, destination, subscription.externalId);
  if (says === null) return null;
  const isRenewed = says.atEnd === "renews" && (says.nextQuantity ?? says.quantity) === order.line.quantity;
  return isRenewed
    ? { state: "found", reference: says.externalId }
    : { state: "notFound", hasAccount: false };
}
