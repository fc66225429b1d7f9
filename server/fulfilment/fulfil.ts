/**
 * The fulfilment job: takes a paid order to "done" exactly once, and stores the result in one transaction. Failures are handled
 * in failure.ts.
 */
import { countFailedAttempts, updateFulfilment } from "#db/fulfilment/fulfilments.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { hasSteps, mayHaveTakenEffect } from "#db/platform/stored-steps.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { SignInRefusedError } from "#server/catalogue/families/fulfilled.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { Destination, SubscriptionAtVendor } from "#server/catalogue/families/subscription-at-vendor.ts";
import type { VendorSubscription } from "#server/catalogue/families/vendor-subscription.ts";
import { assertNever } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { fulfilmentDurations } from "#server/integrations/metrics/process-metrics.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { isFullyReturned } from "#server/orders/payment-state.ts";
import type { Context } from "#server/platform/context.ts";
import { isDatabaseAway } from "#server/platform/database-failure.ts";
import {
  beginRun,
  endRun,
  executeRun,
  type Run,
  RunSupersededError,
} from "#server/platform/stored-steps/run.ts";
import { withNote } from "./buyer-notes.ts";
import { hasControlProof, isTakenElsewhere, tenantTakenMessage } from "./control-proof.ts";
import { destinationOf } from "./destination.ts";
import { afterFailure } from "./failure.ts";
import { finishPurchase, finishRenewal, finishSeats } from "./finish.ts";
import { concludeTrial, parkIfPaused } from "./pause.ts";
import { readBack } from "./read-back.ts";
import { carryOutRenewal } from "./renewal.ts";
import { lockForOrder } from "./subscription-lock.ts";

/** Runs the job once. Does not throw provider errors: it decides and stores the next retry itself. */
export async function fulfilOrder(context: Context, orderId: OrderId): Promise<void> {
  const begun = await begin(context, orderId);
  if (begun === null) return;
  await executeRun(context, begun.run, () => tryOnce(context, orderId, begun.attempt));
}

async function tryOnce(context: Context, orderId: OrderId, attempt: number): Promise<void> {
  const order = await findOrder(context.db, orderId);
  if (order === null) return;
  try {
    const finish = await forOrder(orderId, () => carryOut(context, order), attempt);
    const isNew = await context.db.transaction().execute(async (trx) => {
      const locked = await lockOrder(trx, orderId);
      await endRun(trx, orderId);
      if (locked.fulfilmentStatus === "done") return false;
      await finish(trx, locked);
      return true;
    });
    if (isNew && order.paidAt !== null)
      fulfilmentDurations.observe({ provider: order.family }, (Date.now() - order.paidAt.getTime()) / 1000);
  } catch (error) {
    // A lost database session says nothing about the vendor: the queue runs the job again, and it does not count as a try.
    if (error instanceof RunSupersededError || isDatabaseAway(error)) throw error;
    return afterFailure(context, order, error);
  }
  context.log.info({ orderId }, "order fulfilled");
  await concludeTrial(context, order);
}

/** Fulfils the order at its vendor. @returns a function that stores the result */
async function carryOut(context: Context, order: Order): Promise<(trx: Trx, order: Order) => Promise<void>> {
  const { db } = context;
  const family = families[order.family];
  switch (order.kind) {
    case "ADD": {
      const held = await heldFor(db, order);
      const seats = await family.addSeats(context, order, held);
      const { externalId } = held.subscription;
      const read = await readBack(
        context,
        order,
        held.destination,
        externalId,
        (says) => says.quantity === seats,
      );
      return (trx, locked) => finishSeats(trx, locked, seats, read);
    }
    case "RENEW": {
      const held = await heldFor(db, order);
      const renewed = await carryOutRenewal(context, order, held);
      const { subscriptionId, anew } = renewed;
      const isRenewed = ({ atEnd, nextQuantity }: VendorSubscription) =>
        atEnd === "renews" && (nextQuantity ?? order.line.quantity) === order.line.quantity;
      const expected = anew ? undefined : isRenewed;
      const read = await readBack(context, order, held.destination, subscriptionId, expected);
      return (trx, locked) => finishRenewal(trx, locked, renewed, read);
    }
    case "NEW":
    case "TUP":
    case "ADDON": {
      const destination = await destinationOf(db, order);
      if (destination !== null) await requireOwn(context, order, destination);
      const fulfilled = await family.purchase(context, order, destination);
      const place =
        fulfilled.tenant === null
          ? null
          : { externalId: fulfilled.tenant.externalId, country: order.country };
      const read = await readBack(context, order, place, fulfilled.subscriptionId);
      return (trx, locked) => finishPurchase(trx, locked, fulfilled, read);
    }
    default:
      return assertNever(order.kind);
  }
}

/** Takes the lock on the subscription that an order changes. @throws SubscriptionBusyError, RunSupersededError */
async function heldFor(db: Db, order: Order): Promise<SubscriptionAtVendor> {
  const subscription = await lockForOrder(db, order);
  const { parentSubscriptionId } = subscription;
  return { subscription, destination: await destinationOf(db, { ...order, parentSubscriptionId }) };
}

/**
 * Last check before buying in a tenant that is new to the company: requires a proof, and that the tenant is not linked to
 * another company here. An order with stored steps is not checked again, because its buyer would have to choose another tenant
 * after a purchase in this one.
 */
async function requireOwn({ db }: Context, order: Order, destination: Destination): Promise<void> {
  const { customerId, family, tenantId } = order;
  if (tenantId !== null || customerId === null || (await hasSteps(db, order.id))) return;
  const claim = { customerId, family, tenantExternalId: destination.externalId };
  if (!(await hasControlProof(db, claim, new Date()))) {
    throw new SignInRefusedError(msg("families.hasToConfirm", { domain: destination.domain }));
  }
  const isTaken = await db.transaction().execute((trx) => isTakenElsewhere(trx, claim, order));
  if (isTaken) throw new SignInRefusedError(tenantTakenMessage);
}

/** Stops an order that was refunded before it was fulfilled. If a vendor may have something for it, a person has to check. */
async function giveUp(trx: Trx, order: Order): Promise<void> {
  const mayHoldSomething = await mayHaveTakenEffect(trx, order.id);
  await moveOrder(trx, order, { fulfilmentStatus: mayHoldSomething ? "needs_attention" : "not_due" });
  if (!mayHoldSomething) return;
  await queueOperatorAlert(trx, {
    dedupeKey: `given-back:${order.id}`,
    orderId: order.id,
    what: "This order was refunded while in progress. Nothing more will be bought. Check what the vendor has for it and cancel it there.",
  });
}

/**
 * Begins a run.
 * @returns the run and the number of the try, from 1; null when there is nothing to do: the order is done, stopped or refunded,
 * or waits for its buyer or its vendor
 */
async function begin(context: Context, orderId: OrderId): Promise<{ run: Run; attempt: number } | null> {
  return context.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.fulfilmentStatus !== "queued" && order.fulfilmentStatus !== "running") return null;
    if (isFullyReturned(order)) {
      await giveUp(trx, order);
      return null;
    }
    if (await parkIfPaused(trx, order)) return null;
    if (order.fulfilmentStatus === "queued" || order.details.note !== undefined)
      await moveOrder(trx, order, { fulfilmentStatus: "running", ...withNote(order, undefined) });
    await updateFulfilment(trx, orderId, { status: "running" });
    return { run: await beginRun(trx, orderId), attempt: (await countFailedAttempts(trx, orderId)) + 1 };
  });
}
