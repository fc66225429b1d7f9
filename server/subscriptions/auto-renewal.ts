/**
 * A term must be paid for before it is bought. Automatic renewal at a provider, which would charge the reseller, is
 * switched off once a term has begun, and on again by a paid renewal (docs/decisions/end-of-term.md).
 */
import type { SubscriptionId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { findTenant } from "#db/tenants.ts";
import type { Context } from "#server/context.ts";
import { families } from "#server/families/family.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { lockSubscription } from "./subscription.ts";

/** The end is at least a month away, so jobs that a buyer waits for go first. */
const delayMs = 3_600_000;

/** Call whenever a term begins. */
export async function queueStopRenewal(trx: Trx, subscriptionId: SubscriptionId): Promise<void> {
  await addJob(
    trx,
    "stop-renewal",
    { subscriptionId },
    { jobKey: `stop-renewal:${subscriptionId}`, delayMs },
  );
}

/**
 * The job. Skips a subscription whose next term is paid for, and retries while an order is changing it. The row stays
 * locked during the call, so that a concurrent renewal is not switched off.
 * @throws ProviderError, or BeingChanged, so that the queue retries
 */
export async function stopRenewal(context: Context, subscriptionId: SubscriptionId): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const subscription = await lockSubscription(trx, subscriptionId);
    if (subscription.next !== null || subscription.status !== "active") return;
    if (subscription.isBeingChanged) throw new BeingChanged();
    const { tenantId, family } = subscription;
    const tenant = tenantId === null ? null : await findTenant(trx, tenantId);
    const destination =
      tenant === null
        ? null
        : {
            externalId: tenant.externalId,
            domain: tenant.domain,
            name: tenant.name,
            baseSubscription: null,
          };
    await families[family].stopRenewal(context, { subscription, destination });
  });
}

/** An order is changing the subscription: the queue retries. */
class BeingChanged extends Error {
  override readonly name = "BeingChanged";
  constructor() {
    super("The subscription is being changed by an order (being_changed)");
  }
}
