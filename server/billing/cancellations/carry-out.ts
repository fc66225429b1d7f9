/**
 * The job of a cancellation: changes the subscription at the vendor and reads it back, then stores the refund of each order and
 * the subscription's new state in one transaction. Each request to the vendor is a stored step, so that a crash repeats none
 * (docs/decisions/refunds.md#cancellations).
 */

import { listPaidOrders } from "#db/billing/cancellable-orders.ts";
import {
  type Cancellation,
  type CancellationPart,
  findCancellation,
  listCancellationParts,
  readCancellationLocked,
  setRefund,
  updateCancellation,
} from "#db/billing/cancellations.ts";
import type { CancellationId, RefundId } from "#db/ids.ts";
import { money } from "#db/money.ts";
import { releaseSubscriptionLock } from "#db/orders/subscription-lock.ts";
import { type Subscription, updateSubscription } from "#db/orders/subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import { requestRefund } from "#server/billing/payments/refund.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { SubscriptionAtVendor } from "#server/catalogue/families/subscription-at-vendor.ts";
import { spread } from "#server/catalogue/pricing/refund.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { type ReadBack, readBack } from "#server/fulfilment/read-back.ts";
import { ResultNotVisibleError } from "#server/fulfilment/stop-reasons.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { lockOrder } from "#server/orders/find.ts";
import { readSubscriptionAtVendor } from "#server/orders/subscriptions/at-vendor.ts";
import { queueStopRenewal } from "#server/orders/subscriptions/queue.ts";
import { applyVendorSnapshot } from "#server/orders/subscriptions/refresh.ts";
import { findSubscription, lockSubscription } from "#server/orders/subscriptions/subscription.ts";
import type { Context } from "#server/platform/context.ts";
import { isDatabaseAway } from "#server/platform/database-failure.ts";
import { beginRun, endRun, executeRun, RunSupersededError } from "#server/platform/stored-steps/run.ts";
import { afterFailure, isVendorPaused, refuseByPerson } from "./failure.ts";
import { notifyOfCancellation } from "./notify.ts";

/** Runs the job once. Does not throw provider errors: it decides and stores the next try itself. */
export async function carryOutCancellation(context: Context, id: CancellationId): Promise<void> {
  const cancellation = await findCancellation(context.db, id);
  if (cancellation === null || isOver(cancellation)) return;
  const tries = Object.values(cancellation.met).reduce((all, { times }) => all + times, 1);
  await forOrder(cancellation.orderId, () => tryToCarryOut(context, cancellation), tries);
}

async function tryToCarryOut(context: Context, cancellation: Cancellation): Promise<void> {
  const { db } = context;
  const subscription = await findSubscription(db, cancellation.subscriptionId);
  if (subscription === null) throw new RangeError("A cancellation is of a subscription that is not there");
  const decided = cancellation.decision?.act ?? null;
  if (decided !== "finish" && (await isVendorPaused(context, cancellation, subscription))) return;
  const run = await db.transaction().execute(async (trx) => {
    await lockOrder(trx, cancellation.orderId);
    return beginRun(trx, cancellation.orderId);
  });
  await executeRun(context, run, () => runOnce(context, cancellation, subscription));
}

async function runOnce(
  context: Context,
  cancellation: Cancellation,
  subscription: Subscription,
): Promise<void> {
  const { db, log } = context;
  const { id } = cancellation;
  const decided = cancellation.decision?.act ?? null;
  try {
    let read: ReadBack | null = null;
    if (decided !== "finish") {
      const held = await readSubscriptionAtVendor(db, subscription);
      if (decided === "refuse" && !(await isMade(context, cancellation, held)))
        return await db.transaction().execute(async (trx) => {
          await endRun(trx, cancellation.orderId);
          await refuseByPerson(trx, cancellation, subscription);
        });
      await atVendor(context, cancellation, held);
      read = await readAfter(context, cancellation, held);
      if (cancellation.state === "requested")
        await updateCancellation(db, cancellation, { state: "vendor_done", vendorDoneAt: new Date() });
    }
    await db.transaction().execute((trx) => finish(context, trx, cancellation, read));
  } catch (error) {
    // A lost database session says nothing about the vendor: the queue runs the job again, and it does not count as a try.
    if (error instanceof RunSupersededError || isDatabaseAway(error)) throw error;
    return afterFailure(context, cancellation, subscription, error);
  }
  log.info({ cancellationId: id, subscriptionId: subscription.id }, "a cancellation was carried out");
}

const isOver = ({ state }: Cancellation) => state === "refund_requested" || state === "refused";

async function atVendor(
  context: Context,
  cancellation: Cancellation,
  held: SubscriptionAtVendor,
): Promise<void> {
  const { id, orderId, kind, seatsBefore, seatsAfter } = cancellation;
  const { cancel, reduce } = families[held.subscription.family].returns;
  const step = { orderId, name: `${kind}:${id}` };
  if (kind === "cancel") {
    if ("never" in cancel) throw new RangeError("A cancellation was taken that the vendor never makes");
    return cancel.carryOut(context, step, held);
  }
  if ("never" in reduce) throw new RangeError("A reduction was taken that the vendor never makes");
  return reduce.carryOut(context, step, held, { from: seatsBefore, to: seatsAfter });
}

/** Reads the subscription back; null when the vendor no longer has it, and for a family without a vendor. @throws ResultNotVisibleError */
async function readAfter(
  context: Context,
  { kind, seatsAfter }: Cancellation,
  { subscription, destination }: SubscriptionAtVendor,
): Promise<ReadBack | null> {
  const { family, externalId } = subscription;
  if (kind === "reduce")
    return readBack(
      context,
      subscription,
      destination,
      externalId,
      ({ quantity }) => quantity === seatsAfter,
    );
  const { tenants } = families[family];
  if (tenants === null || destination === null) return null;
  const askedAt = new Date();
  const says = await tenants.findHeld(context, destination, externalId);
  if (says !== null && says.state !== "cancelled") throw new ResultNotVisibleError(externalId);
  return says === null ? null : { says, askedAt };
}

/** Whether the vendor shows the change, which may have been made although no response came. */
async function isMade(
  context: Context,
  { kind, seatsAfter }: Cancellation,
  { subscription, destination }: SubscriptionAtVendor,
): Promise<boolean> {
  const { tenants } = families[subscription.family];
  if (tenants === null || destination === null) return false;
  const says = await tenants.findHeld(context, destination, subscription.externalId);
  return kind === "cancel" ? says === null || says.state === "cancelled" : says?.quantity === seatsAfter;
}

async function finish(
  { env }: Context,
  trx: Trx,
  current: Cancellation,
  read: ReadBack | null,
): Promise<void> {
  const parts = await listCancellationParts(trx, current.id);
  // Lock order: always the orders before the rows that they change.
  const orders = [];
  for (const part of parts) orders.push({ part, order: await lockOrder(trx, part.orderId) });
  await endRun(trx, current.orderId);
  const cancellation = await readCancellationLocked(trx, current.id);
  if (cancellation === null || isOver(cancellation)) return;
  const subscription = await lockSubscription(trx, cancellation.subscriptionId);
  const paid = new Map((await listPaidOrders(trx, subscription.id)).map((each) => [each.orderId, each]));
  for (const { part, order } of orders) {
    const of = paid.get(part.orderId);
    // The order may have been refunded in the meantime.
    const left = of === undefined ? 0 : Math.max(0, of.paid.minor - of.refunded.minor);
    const amount = money(Math.min(part.amount.minor, left), part.amount.currency);
    const reason = reasonOf(cancellation, subscription, part);
    let refundId: RefundId | null = null;
    const refunds = spread(of?.payments ?? [], amount.minor);
    const licences = refunds.length === 1 ? part.seats : undefined;
    for (const { payment, amountMinor } of refunds) {
      const refund = { order, payment, amount: money(amountMinor, amount.currency), reason };
      const by = { by: "buyer", cancellationId: cancellation.id, licences } as const;
      const requested = await requestRefund(trx, env, { ...refund, ...by });
      refundId ??= requested;
    }
    await setRefund(trx, { cancellationId: cancellation.id, orderId: part.orderId }, { refundId, amount });
  }
  await change(trx, cancellation, subscription, read);
  await releaseSubscriptionLock(trx, cancellation.orderId);
  const now = new Date();
  const done = { state: "refund_requested", finishedAt: now, lastError: null, needsPerson: false } as const;
  const vendorDoneAt = cancellation.vendorDoneAt ?? now;
  if (!(await updateCancellation(trx, cancellation, { ...done, vendorDoneAt })))
    throw new RangeError("A locked cancellation has moved");
  await notifyOfCancellation(trx, cancellation, "done");
}

function reasonOf(
  { kind }: Cancellation,
  { name, domain }: Subscription,
  { seats: count }: CancellationPart,
) {
  return kind === "cancel"
    ? msg("cancellation.reasonCancelled", { name, domain })
    : msg("cancellation.reasonReduced", { name, domain, licences: msg("orders.licences", { count }) });
}

/** Applies the change to the subscription's row. @param subscription locked */
async function change(
  trx: Trx,
  { kind, seatsAfter }: Cancellation,
  subscription: Subscription,
  read: ReadBack | null,
): Promise<void> {
  const { id } = subscription;
  await updateSubscription(
    trx,
    id,
    kind === "cancel"
      ? { status: "cancelled", end: read?.askedAt ?? new Date(), next: null, reducedFrom: null }
      : { quantity: seatsAfter, reducedFrom: null },
  );
  if (read !== null) await applyVendorSnapshot(trx, await lockSubscription(trx, id), read.says, read.askedAt);
  // Changing licences resets the vendor's automatic renewal.
  if (kind === "reduce") await queueStopRenewal(trx, id);
}
