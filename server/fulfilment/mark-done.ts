/**
 * A person has carried out at the vendor what a stopped order could not: the order is done, once the vendor itself shows what was bought.
 * What follows is what follows after a purchase of ours: subscription, dates, the buyer's mail.
 */
import type { Order } from "#db/order.ts";
import { findStep, mayHaveActed } from "#db/stored-steps.ts";
import { claimSubscription, findByExternalId } from "#db/subscriptions.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { findVendorIds, vendorKey } from "#db/vendor-catalogue.ts";
import { type Ordered, record } from "#server/accounts/audit.ts";
import type { Context } from "#server/context.ts";
import { DomainError, notFound, unreachable, wrongField } from "#server/errors.ts";
import { families, type Held, type TenantRules } from "#server/families/family.ts";
import { seatsPlan } from "#server/families/seats.ts";
import type { VendorSubscription } from "#server/families/vendor-subscription.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { isGivenBack } from "#server/orders/order.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { forOrder } from "#server/providers/for-order.ts";
import { heldAs } from "#server/subscriptions/held.ts";
import { findSubscription, isRunning } from "#server/subscriptions/subscription.ts";
import { destinationOf } from "./destination.ts";
import { finishPurchase, finishRenewal, finishSeats } from "./finish.ts";
import { withNote } from "./note.ts";
import type { ReadBack } from "./read-back.ts";
import { NeedsPerson } from "./stops.ts";

/** Why an order cannot be marked as done, in a sentence; null when it can. */
export function whyNotMarkedDone(order: Order): string | null {
  const { label, tenants } = families[order.family];
  if (order.fulfilmentStatus !== "needs_attention") return "The order has not stopped.";
  if (isGivenBack(order)) return "Its money went back. See that the vendor holds nothing of it.";
  if (tenants === null) return `${label} has no vendor where it could be carried out by hand. Try it again.`;
  return null;
}

/**
 * @param reference the vendor's id of the subscription that was bought or changed
 * @returns what the vendor says of it, in a sentence
 * @throws DomainError bad_request at the field `reference` when the vendor does not show what was ordered; conflict when the order has not
 *   stopped; provider_unavailable
 */
export async function markDone(
  context: Context,
  orderId: Order["id"],
  reference: string,
  by: Ordered,
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
        `${label} did not say what it has: ${error.message}.`,
      );
    },
  );
  await db.transaction().execute(async (trx) => {
    const stopped = await lockOrder(trx, orderId);
    requireStopped(stopped);
    // The buyer is told no more why it stopped.
    await moveOrder(trx, stopped, withNote(stopped, undefined));
    await done.finish(trx, await lockOrder(trx, orderId)).catch((error: unknown) => {
      if (error instanceof NeedsPerson) throw new DomainError("conflict", `${error.message}.`);
      throw error;
    });
    await record(trx, {
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

/** @throws DomainError conflict */
function requireStopped(order: Order): void {
  const why = whyNotMarkedDone(order);
  if (why !== null) throw new DomainError("conflict", why);
}

interface Done {
  /** What the vendor shows. */
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
      return unreachable(order.kind);
  }
}

const seenOf = ({ state, quantity, term }: VendorSubscription) =>
  [
    state ?? "no state",
    quantity === null ? null : `${quantity} licences`,
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
  const { db, env } = context;
  const { family, itemId, country, line } = order;
  const { label, vendor } = families[family];
  if ((await findByExternalId(db, family, reference)) !== null)
    throw wrongField("reference", "That subscription stands in the store already, for another order.");
  const place = await placeOf(context, order, tenants);
  const askedAt = new Date();
  const listed = await tenants.listHeld(context, place, { now: askedAt });
  const found = listed.find(({ says }) => tenants.keyOf(says.externalId) === tenants.keyOf(reference));
  if (found === undefined)
    throw wrongField("reference", `${label} has no such subscription in ${place.domain}.`);
  const { says, reading } = found;
  const account = vendor?.catalogue.accountIn(env, country) ?? null;
  const ids = account === null ? null : await findVendorIds(db, { itemId, country, account });
  const sku =
    reading.is === "running" ? reading.found.sku : reading.is === "unlike ours" ? reading.sku : null;
  if (says.state !== "active" || reading.is === "over")
    throw wrongField("reference", `It is not active at ${label}: ${seenOf(says)}.`);
  if (ids !== null && sku !== null && sku !== vendorKey(ids))
    throw wrongField("reference", `It is another product than the order's: ${sku}.`);
  requireSeats(says, line.quantity);
  // An account that no step of ours made has to be proven before the next order goes into it.
  const isOurs = await mayHaveActed(db, order.id, families[family].tellsVendor.tenantName);
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

/** The account at the vendor that the order's subscription must be in. */
async function placeOf(context: Context, order: Order, tenants: TenantRules) {
  const { family, signIn, details, country, account } = order;
  if (order.tenantId !== null) {
    const destination = await destinationOf(context.db, order);
    if (destination !== null) return { ...destination, isNew: false };
  }
  const domain =
    signIn?.mode === "new"
      ? `${signIn.prefix}${tenants.newByName?.suffix ?? ""}`
      : signIn?.mode === "existing"
        ? (signIn.username.split("@")[1] ?? "")
        : (details.google?.domain ?? "");
  const { label } = families[family];
  if (domain === "")
    throw new DomainError("conflict", "Its buyer has not said yet which account it goes into.");
  const externalId = await tenants.findByDomain(context, domain, country);
  if (externalId === null)
    throw new DomainError("conflict", `${label} has no customer of ours with the domain ${domain}.`);
  return {
    externalId,
    domain,
    name: account?.companyName ?? "",
    country,
    isNew: signIn?.mode !== "existing",
  };
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
    throw wrongField("reference", `The order is about another subscription: ${subscription.externalId}.`);
  const askedAt = new Date();
  const says = await tenants.findHeld(context, destination, reference);
  if (says === null || says.state !== "active")
    throw wrongField("reference", `It is not active at ${label}${says === null ? "" : `: ${seenOf(says)}`}.`);
  const read: ReadBack = { says, askedAt };
  const seen = `${says.externalId}: ${seenOf(says)}`;
  const claim = async (trx: Trx) => {
    if (!(await claimSubscription(trx, subscription.id, order.id)))
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
      `${label} does not renew it with ${order.line.quantity} licences: ${says.atEnd}, ${says.nextQuantity ?? says.quantity ?? "no"} licences.`,
    );
  return {
    seen,
    async finish(trx, locked) {
      await claim(trx);
      await finishRenewal(trx, locked, { subscriptionId: says.externalId, anew }, read);
    },
  };
}

async function heldOf(db: Db, { subscriptionId }: Order): Promise<Held> {
  const subscription = subscriptionId === null ? null : await findSubscription(db, subscriptionId);
  if (subscription === null) throw new RangeError("An order changes a subscription that is not there");
  return heldAs(db, subscription);
}

/** The number of licences that the order leads to: as it asked for them, or counted from what the store knows. */
async function seatsAfter(db: Db, { id, line }: Order, { subscription }: Held): Promise<number> {
  for (const name of ["seats-plan", "seats"]) {
    const plan = seatsPlan.safeParse((await findStep(db, id, name))?.result);
    if (plan.success) return plan.data.to;
  }
  return subscription.quantity + line.quantity;
}

/** @throws DomainError bad_request at the reference */
function requireSeats({ quantity }: VendorSubscription, expected: number): void {
  if (quantity !== expected)
    throw wrongField(
      "reference",
      `It has ${quantity ?? "no"} licences there, and the order leads to ${expected}.`,
    );
}
