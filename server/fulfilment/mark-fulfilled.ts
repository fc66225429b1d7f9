/**
 * Marks a stopped order as fulfilled that was fulfilled at the vendor by a person, or before a restore, once the vendor shows
 * the result. The consequences are those of an automatic fulfilment: subscription, dates, the buyer's mail.
 */

import { findVendorIds, vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import type { Order } from "#db/orders/order.ts";
import { acquireSubscriptionLock } from "#db/orders/subscription-lock.ts";
import { findByExternalId } from "#db/orders/subscriptions.ts";
import { findStep, mayHaveTakenEffect } from "#db/platform/stored-steps.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { TenantRules } from "#server/catalogue/families/family.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { seatsPlan } from "#server/catalogue/families/seats.ts";
import type { Destination, SubscriptionAtVendor } from "#server/catalogue/families/subscription-at-vendor.ts";
import type {
  ListedVendorSubscription,
  VendorSubscription,
} from "#server/catalogue/families/vendor-subscription.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { assertNever, DomainError, notFound, wrongField } from "#server/foundation/errors.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { isFullyReturned } from "#server/orders/payment-state.ts";
import { readSubscriptionAtVendor } from "#server/orders/subscriptions/at-vendor.ts";
import { findSubscription, isRunning } from "#server/orders/subscriptions/subscription.ts";
import type { Context } from "#server/platform/context.ts";
import { withNote } from "./buyer-notes.ts";
import { destinationOf } from "./destination.ts";
import { finishPurchase, finishRenewal, finishSeats } from "./finish.ts";
import type { ReadBack } from "./read-back.ts";
import { NeedsAttentionError } from "./stop-reasons.ts";

/** Returns the reason, as a sentence, why an order cannot be marked as fulfilled; null when it can. */
export function whyNotMarkedDone(order: Order): string | null {
  const { label, tenants } = families[order.family];
  if (order.fulfilmentStatus !== "needs_attention") return "This order hasn't stopped.";
  if (isFullyReturned(order))
    return "This order was refunded. Check that the vendor has nothing left for it.";
  if (tenants === null) return `${label} has no vendor console to fulfil it in. Try the order again.`;
  return null;
}

/**
 * Marks an order as fulfilled.
 * @param reference the vendor's id of the subscription that was bought or changed
 * @returns the vendor's state of it, as a sentence
 * @throws DomainError bad_request at the field `reference` when the vendor does not show the ordered result; conflict when the
 * order has not stopped; provider_unavailable
 */
export async function markFulfilled(
  context: Context,
  orderId: Order["id"],
  reference: string,
  by: AuditContext,
): Promise<string> {
  const { db } = context;
  const order = await findOrder(db, orderId);
  if (order === null) throw notFound("order");
  requireStopped(order);
  const { tenants, label } = families[order.family];
  if (tenants === null) throw new RangeError("An order without a vendor was not refused");
  const done = await forOrder(orderId, () => readDone(context, order, tenants, reference)).catch(
    (error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
      context.log.warn({ err: error, orderId }, "what was done by hand could not be looked up");
      throw new DomainError(
        error.kind === "transient" ? "provider_unavailable" : "conflict",
        `${label} couldn't be checked: ${error.message}.`,
      );
    },
  );
  await db.transaction().execute(async (trx) => {
    const stopped = await lockOrder(trx, orderId);
    requireStopped(stopped);
    // Remove the note to the buyer about why it stopped.
    await moveOrder(trx, stopped, withNote(stopped, undefined));
    await done.finish(trx, await lockOrder(trx, orderId)).catch((error: unknown) => {
      if (error instanceof NeedsAttentionError) throw new DomainError("conflict", `${error.message}.`);
      throw error;
    });
    await recordAudit(trx, {
      userId: null,
      staffId: by.staffId,
      action: "order.mark-done",
      subject: `order:${orderId}`,
      data: {
        reason: by.reason,
        by: by.by,
        reference,
        seen: done.seen,
        before: "needs attention",
        after: "done",
      },
    });
  });
  return done.seen;
}

/** Requires an order that can be marked as fulfilled. @throws DomainError conflict */
function requireStopped(order: Order): void {
  const why = whyNotMarkedDone(order);
  if (why !== null) throw new DomainError("conflict", why);
}

interface Done {
  /** The subscription's state at the vendor, for the audit log. */
  seen: string;
  finish: (trx: Trx, locked: Order) => Promise<void>;
}

async function readDone(
  context: Context,
  order: Order,
  tenants: TenantRules,
  reference: string,
): Promise<Done> {
  switch (order.kind) {
    case "ADD":
    case "RENEW":
      return readChange(context, order, tenants, reference);
    case "NEW":
    case "TUP":
    case "ADDON":
      return readPurchase(context, order, tenants, reference);
    default:
      return assertNever(order.kind);
  }
}

const seenOf = ({ state, quantity, term }: VendorSubscription) =>
  [
    state ?? "no state",
    quantity === null ? null : `${quantity} licenses`,
    term === null ? null : `until ${term.end.toISOString().slice(0, 10)}`,
  ]
    .filter((part) => part !== null)
    .join(", ");

async function readPurchase(
  context: Context,
  order: Order,
  tenants: TenantRules,
  reference: string,
): Promise<Done> {
  const { db } = context;
  const { family, line } = order;
  const { label } = families[family];
  if ((await findByExternalId(db, family, reference)) !== null)
    throw wrongField("reference", "That subscription is already in the store for another order.");
  const place = await placeOf(context, order, tenants);
  const askedAt = new Date();
  const listed = await tenants.listHeld(context, place, { now: askedAt });
  const found = listed.find(({ says }) => tenants.keyOf(says.externalId) === tenants.keyOf(reference));
  if (found === undefined)
    throw wrongField("reference", `${label} has no subscription with that ID in ${place.domain}.`);
  const { says, reading } = found;
  const orderedSku = await skuKeyOf(context, order);
  const sku = skuIn(reading);
  if (says.state !== "active" || reading.is === "ended")
    throw wrongField("reference", `The subscription isn't active at ${label}: ${seenOf(says)}.`);
  if (orderedSku !== null && sku !== null && sku !== orderedSku)
    throw wrongField("reference", `That subscription is for a different product: ${sku}.`);
  requireSeats(says, line.quantity);
  // A tenant that none of our steps created must be proved before the next order goes into it.
  const isOurs = await mayHaveTakenEffect(db, order.id, families[family].tellsVendor.tenantName);
  const tenant = {
    externalId: place.externalId,
    name: place.name,
    provenBy: place.isNew && isOurs ? ("made" as const) : null,
  };
  const fulfilled = { tenant, domain: place.domain, subscriptionId: says.externalId };
  const read: ReadBack = { says, askedAt };
  return {
    seen: `${says.externalId}: ${seenOf(says)}`,
    finish: (trx, locked) => finishPurchase(trx, locked, fulfilled, read),
  };
}

/** Returns the domain of the tenant that the order goes into; empty until its buyer has chosen it. */
export function domainOf({ signIn, details }: Order, tenants: TenantRules): string {
  if (signIn?.mode === "new") return `${signIn.prefix}${tenants.newByName?.suffix ?? ""}`;
  if (signIn?.mode === "existing") return signIn.username.split("@")[1] ?? "";
  return details.google?.domain ?? "";
}

interface Place extends Destination {
  isNew: boolean;
}

/** Finds the tenant that the order's subscription must be in; null when the vendor has no customer of ours with its domain. */
export async function findPlace(context: Context, order: Order, tenants: TenantRules): Promise<Place | null> {
  const { signIn, country, account } = order;
  if (order.tenantId !== null) {
    const destination = await destinationOf(context.db, order);
    if (destination !== null) return { ...destination, isNew: false };
  }
  const domain = domainOf(order, tenants);
  const externalId = domain === "" ? null : await tenants.findByDomain(context, domain, country);
  if (externalId === null) return null;
  return {
    externalId,
    domain,
    name: account?.companyName ?? "",
    country,
    isNew: signIn?.mode !== "existing",
  };
}

/** Finds the order's tenant at the vendor. @throws DomainError conflict when there is none */
async function placeOf(context: Context, order: Order, tenants: TenantRules): Promise<Place> {
  const place = await findPlace(context, order, tenants);
  if (place !== null) return place;
  const domain = domainOf(order, tenants);
  throw new DomainError(
    "conflict",
    domain === ""
      ? "The buyer hasn't chosen an account yet."
      : `${families[order.family].label} has no customer of ours with the domain ${domain}.`,
  );
}

/** Finds the vendor's key of the order's plan; null when unknown. */
export async function skuKeyOf(
  { db, env }: Context,
  { family, itemId, country }: Order,
): Promise<string | null> {
  const account = families[family].vendor?.catalogue.accountIn(env, country) ?? null;
  const ids = account === null ? null : await findVendorIds(db, { itemId, country, account });
  return ids === null ? null : vendorKey(ids);
}

/** Returns the vendor's key of a listed subscription's plan; null when the list does not include it. */
export function skuIn(reading: ListedVendorSubscription["reading"]): string | null {
  return reading.is === "running" ? reading.found.sku : reading.is === "unsupported" ? reading.sku : null;
}

async function readChange(
  context: Context,
  order: Order,
  tenants: TenantRules,
  reference: string,
): Promise<Done> {
  const { db } = context;
  const { label } = families[order.family];
  const held = await heldOf(db, order);
  const { subscription, destination } = held;
  if (destination === null) throw new RangeError("A subscription of a family with tenants lives in one");
  const anew = order.kind === "RENEW" && !isRunning(subscription, new Date());
  if (!anew && tenants.keyOf(reference) !== tenants.keyOf(subscription.externalId))
    throw wrongField("reference", `This order is for a different subscription: ${subscription.externalId}.`);
  const askedAt = new Date();
  const says = await tenants.findHeld(context, destination, reference);
  if (says === null || says.state !== "active")
    throw wrongField(
      "reference",
      `The subscription isn't active at ${label}${says === null ? "" : `: ${seenOf(says)}`}.`,
    );
  const read: ReadBack = { says, askedAt };
  const seen = `${says.externalId}: ${seenOf(says)}`;
  const claim = async (trx: Trx) => {
    if (!(await acquireSubscriptionLock(trx, subscription.id, order.id)))
      throw new DomainError("conflict", "Another order is changing this subscription. That one comes first.");
  };
  if (order.kind === "ADD") {
    const seats = await seatsAfter(db, order, held);
    requireSeats(says, seats);
    return {
      seen,
      async finish(trx, locked) {
        await claim(trx);
        await finishSeats(trx, locked, seats, read);
      },
    };
  }
  if (anew) requireSeats(says, order.line.quantity);
  else if (says.atEnd !== "renews" || (says.nextQuantity ?? says.quantity) !== order.line.quantity)
    throw wrongField(
      "reference",
      `${label} won't renew it with ${order.line.quantity} licenses: ${says.atEnd}, ${says.nextQuantity ?? says.quantity ?? "no"} licenses.`,
    );
  return {
    seen,
    async finish(trx, locked) {
      await claim(trx);
      await finishRenewal(trx, locked, { subscriptionId: says.externalId, anew }, read);
    },
  };
}

export async function heldOf(db: Db, { subscriptionId }: Order): Promise<SubscriptionAtVendor> {
  const subscription = subscriptionId === null ? null : await findSubscription(db, subscriptionId);
  if (subscription === null) throw new RangeError("An order changes a subscription that is not there");
  return readSubscriptionAtVendor(db, subscription);
}

/** Returns the number of licences after the order: as its stored step planned, else computed from our records. */
export async function seatsAfter(
  db: Db,
  { id, line }: Order,
  { subscription }: SubscriptionAtVendor,
): Promise<number> {
  for (const name of ["seats-plan", "seats"]) {
    const plan = seatsPlan.safeParse((await findStep(db, id, name))?.result);
    if (plan.success) return plan.data.to;
  }
  return subscription.quantity + line.quantity;
}

/** Requires that the vendor shows the expected seats. @throws DomainError bad_request at the field `reference` */
function requireSeats({ quantity }: VendorSubscription, expected: number): void {
  if (quantity !== expected)
    throw wrongField(
      "reference",
      `It has ${quantity ?? "no"} licenses there, but the order should result in ${expected}.`,
    );
}
