/**
 * A term must be paid for before it is bought. Automatic renewal at a provider, which would charge the reseller, is
 * switched off once a term has begun, and on again by a paid renewal (docs/decisions/renewal.md#end-of-term).
 */

import { findTenant } from "#db/accounts/tenants.ts";
import type { SubscriptionId } from "#db/ids.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { Context } from "#server/platform/context.ts";
import { readSubscriptionAtVendor } from "./at-vendor.ts";
import { applyVendorSnapshot } from "./refresh.ts";
import { findSubscription, lockSubscription } from "./subscription.ts";

/**
 * Runs the job: switches automatic renewal off. Skips a subscription whose next term is paid for, and retries while an order is
 * changing it. The row stays locked during the call, so that a concurrent renewal is not switched off.
 * @throws ProviderError, or BeingChanged, so that the queue retries
 */
export async function stopRenewal(context: Context, subscriptionId: SubscriptionId): Promise<void> {
  await reachVendor(context, subscriptionId);
  await context.db.transaction().execute(async (trx) => {
    const subscription = await lockSubscription(trx, subscriptionId);
    if (subscription.next !== null || subscription.status !== "active") return;
    if (subscription.isBeingChanged) throw new BeingChanged();
    const askedAt = new Date();
    const says = await families[subscription.family].stopRenewal(
      context,
      await readSubscriptionAtVendor(trx, subscription),
    );
    if (says !== null) await applyVendorSnapshot(trx, subscription, says, askedAt);
  });
}

/**
 * Calls the vendor before the row is locked, because the first call reads our partner consent from the database. With the
 * embedded database, whose clients share a session, that read would wait for the transaction that waits for the call.
 */
async function reachVendor(context: Context, id: SubscriptionId): Promise<void> {
  const row = await findSubscription(context.db, id);
  const tenant = row === null || row.tenantId === null ? null : await findTenant(context.db, row.tenantId);
  if (row === null || tenant === null || row.next !== null || row.status !== "active") return;
  await families[row.family].tenants?.findHeld(context, tenant, row.externalId);
}

/** Thrown while an order changes the subscription; the queue retries. */
class BeingChanged extends Error {
  override readonly name = "BeingChanged";
  constructor() {
    super("The subscription is being changed by an order (being_changed)");
  }
}
