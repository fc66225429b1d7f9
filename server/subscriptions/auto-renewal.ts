/**
 * A term is paid for before it is bought: what a provider would renew by itself, and charge the reseller for, is switched off
 * once a term has begun, and on again by a renewal that is paid (docs/decisions/end-of-term.md).
 */
import type { SubscriptionId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { findTenant } from "#db/tenants.ts";
import type { Context } from "#server/context.ts";
import { families } from "#server/families/family.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { lockSubscription } from "./subscription.ts";

/** The end is a month away at least: what the buyer waits for goes first. */
const delayMs = 3_600_000;

/** To be called whenever a term begins. */
export async function queueStopRenewal(trx: Trx, subscriptionId: SubscriptionId): Promise<void> {
  await addJob(
    trx,
    "stop-renewal",
    { subscriptionId },
    { jobKey: `stop-renewal:${subscriptionId}`, delayMs },
  );
}

/**
 * The job: leaves alone what has a next term paid for, and waits while an order is changing it. The row is held during the
 * call, so that a renewal which is being carried out is not switched off behind its back.
 * @throws ProviderError, or BeingChanged, so that the queue tries again
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

/** An order is at work on it: the queue tries again. */
class BeingChanged extends Error {
  override readonly name = "BeingChanged";
  constructor() {
    super("The subscription is being changed by an order (being_changed)");
  }
}
