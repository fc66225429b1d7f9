/** Stores the result of a fulfilment in one transaction: the subscription, the finished order, the mail to the buyer. */

import { saveTenant } from "#db/accounts/tenants.ts";
import { isTenantOwnedByAnother, lockTenantName } from "#db/fulfilment/control-proofs.ts";
import { updateFulfilment } from "#db/fulfilment/fulfilments.ts";
import { type CustomerId, newId, type SubscriptionId, type TenantId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { releaseSubscriptionLock } from "#db/orders/subscription-lock.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import { insertSubscription, updateSubscription } from "#db/orders/subscriptions.ts";
import type { Country, Term } from "#db/tables/enums.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Fulfilled } from "#server/catalogue/families/fulfilled.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { seatsOfNextTerm } from "#server/catalogue/families/seats.ts";
import { queueMail, queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import type { MailKindFor } from "#server/foundation/outbox/mail-audiences.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import { notifyOfCancellationWindow } from "#server/orders/subscriptions/notify-members.ts";
import { queueStopRenewal } from "#server/orders/subscriptions/queue.ts";
import { applyVendorSnapshot } from "#server/orders/subscriptions/refresh.ts";
import { lockSubscription } from "#server/orders/subscriptions/subscription.ts";
import { anchorDayOf, endOfTerm } from "#server/orders/subscriptions/term.ts";
import { recordControlProof } from "./control-proof.ts";
import type { ReadBack } from "./read-back.ts";
import type { RenewalResult } from "./renewal.ts";
import { NeedsAttentionError } from "./stop-reasons.ts";

/** Stores a new subscription and its tenant. @param order locked, and not done */
export async function finishPurchase(
  trx: Trx,
  order: Order,
  fulfilled: Fulfilled,
  read: ReadBack | null,
): Promise<void> {
  const { customerId, line } = order;
  if (customerId === null) throw new RangeError("A paid order has no customer");
  const now = new Date();
  const tenantId = await tenantOf(trx, customerId, order, fulfilled, now);
  const subscriptionId = newId<SubscriptionId>();
  await insertSubscription(trx, {
    id: subscriptionId,
    customerId,
    tenantId,
    orderId: order.id,
    itemId: line.itemId,
    family: order.family,
    externalId: fulfilled.subscriptionId,
    domain: fulfilled.domain,
    quantity: line.quantity,
    term: line.term,
    billingCycle: line.billingCycle,
    status: "active",
    parentSubscriptionId: order.parentSubscriptionId,
    ...termFrom(now, line.term, order.country, read),
    isSuspended: false,
    readAt: null,
  });
  await writeRead(trx, subscriptionId, read);
  await queueStopRenewal(trx, subscriptionId);
  await moveOrder(trx, order, { ...doneAt(now), tenantId, subscriptionId });
  await tellBuyer(trx, order, families[order.family].mailKind);
}

/**
 * Stores the new number of seats.
 * @param order locked, and not done
 * @param quantity the new total
 */
export async function finishSeats(
  trx: Trx,
  order: Order,
  quantity: number,
  read: ReadBack | null,
): Promise<void> {
  const subscription = await subscriptionOf(trx, order);
  const { next } = subscription;
  await updateSubscription(trx, subscription.id, {
    quantity,
    reducedFrom: null,
    ...(next !== null && {
      next: { ...next, quantity: await seatsThen(trx, order, subscription, quantity) },
    }),
  });
  await writeRead(trx, subscription.id, read);
  if (next === null) await queueStopRenewal(trx, subscription.id);
  await releaseSubscriptionLock(trx, order.id);
  await moveOrder(trx, order, doneAt(new Date()));
  await tellBuyer(trx, order, "order-confirmation");
}

/**
 * Returns the seats of the next term. A family that renews all seats also renews those paid for only to the end of the running
 * term, so the operator is alerted.
 */
async function seatsThen(
  trx: Trx,
  order: Order,
  subscription: Subscription,
  quantity: number,
): Promise<number> {
  const paidFor = seatsOfNextTerm(order, subscription);
  const { label, renewsAllSeats } = families[subscription.family];
  if (!renewsAllSeats || paidFor === quantity) return paidFor;
  await queueOperatorAlert(trx, {
    dedupeKey: `unpaid-seats:${order.id}`,
    orderId: order.id,
    what: `${label} will renew ${quantity} licenses for ${subscription.domain}, but only ${paidFor} are paid for: the rest were bought while the renewal was being paid.`,
  });
  return quantity;
}

/** Stores the next term, or the first term of a lapsed subscription that was bought again. @param order locked, and not done */
export async function finishRenewal(
  trx: Trx,
  order: Order,
  { subscriptionId, anew }: RenewalResult,
  read: ReadBack | null,
): Promise<void> {
  const subscription = await subscriptionOf(trx, order);
  const { id, end, term, country } = subscription;
  const { quantity } = order.line;
  const now = new Date();
  const anchorDay = anchorDayOf(subscription, country);
  await updateSubscription(
    trx,
    id,
    anew
      ? {
          externalId: subscriptionId,
          quantity,
          status: "active",
          ...termFrom(now, term, country, read),
          next: null,
          anchorDay: null,
          isSuspended: false,
          reducedFrom: null,
          extendedUntil: null,
        }
      : {
          next: { start: end, quantity },
          end: endOfTerm(end, term, country, anchorDay),
          anchorDay,
        },
  );
  await writeRead(trx, id, read);
  if (anew) {
    await queueStopRenewal(trx, id);
    await notifyOfCancellationWindow(trx, await lockSubscription(trx, id));
  }
  await releaseSubscriptionLock(trx, order.id);
  await moveOrder(trx, order, doneAt(now));
  await tellBuyer(trx, order, anew ? families[order.family].mailKind : "order-confirmation");
}

/** Returns the term that was bought: the vendor's, or one from now in a family without a vendor. */
function termFrom(
  now: Date,
  term: Term,
  country: Country,
  read: ReadBack | null,
): { start: Date; end: Date } {
  return read?.says.term ?? { start: now, end: endOfTerm(now, term, country) };
}

/** Applies the vendor's reading last, because it takes precedence over the order's own result. */
async function writeRead(trx: Trx, id: SubscriptionId, read: ReadBack | null): Promise<void> {
  if (read !== null) await applyVendorSnapshot(trx, await lockSubscription(trx, id), read.says, read.askedAt);
}

function subscriptionOf(trx: Trx, { subscriptionId }: Order): Promise<Subscription> {
  if (subscriptionId === null) throw new RangeError("An order that changes a subscription names it");
  return lockSubscription(trx, subscriptionId);
}

const doneAt = (now: Date) => ({ stage: "stage4", fulfilmentStatus: "done", fulfilledAt: now }) as const;

async function tellBuyer(
  trx: Trx,
  { id, account, userId }: Order,
  kind: MailKindFor<"buyer">,
): Promise<void> {
  await updateFulfilment(trx, id, { status: "done", lastError: null });
  if (account === null) return;
  await queueMail(trx, {
    kind,
    dedupeKey: `order-confirmation:${id}`,
    recipient: account.email,
    userId,
    orderId: id,
  });
}

/**
 * Finds or creates the tenant's row.
 * @throws NeedsAttentionError when the tenant was linked to another company in the meantime
 */
async function tenantOf(
  trx: Trx,
  customerId: CustomerId,
  order: Order,
  { tenant, domain }: Fulfilled,
  now: Date,
): Promise<TenantId | null> {
  if (tenant === null) return null;
  const { family, country } = order;
  const claim = { customerId, family, tenantExternalId: tenant.externalId };
  await lockTenantName(trx, claim);
  // A tenant that the company already had stays its own, even if another company has it too, from before proofs existed.
  if (order.tenantId === null && (await isTenantOwnedByAnother(trx, claim))) {
    throw new NeedsAttentionError(
      `The ${family} tenant ${tenant.externalId} is held by another company here`,
    );
  }
  if (tenant.provenBy !== null) {
    await recordControlProof(trx, claim, {
      method: tenant.provenBy,
      order,
      authenticatedAt: now,
      by: order.userId,
    });
  }
  const { externalId, name } = tenant;
  return saveTenant(trx, { customerId, family, externalId, domain, name, country });
}
