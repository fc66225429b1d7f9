/**
 * A term is paid for before it is bought: what a provider would renew by itself, and charge the reseller for, is switched off
 * once a term has begun, and on again by a renewal that is paid (docs/decisions/end-of-term.md).
 */
import { randomUUID } from "node:crypto";
import type { SubscriptionId } from "#db/ids.ts";
import type { Subscription } from "#db/subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import { findTenantRow } from "#db/tenants.ts";
import type { Context } from "#server/context.ts";
import { unreachable } from "#server/errors.ts";
import { addJob } from "#server/outbox/jobs.ts";
import { ProviderError } from "#server/providers/errors.ts";
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
 * @throws ProviderError so that the queue tries again
 */
export async function stopRenewal(context: Context, subscriptionId: SubscriptionId): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const subscription = await lockSubscription(trx, subscriptionId);
    if (subscription.next !== null || subscription.status !== "active") return;
    if (subscription.isBeingChanged) {
      throw new ProviderError(providerOf(subscription), "transient", "stop renewal", {
        code: "being_changed",
      });
    }
    switch (subscription.family) {
      case "microsoft":
        return stopAtMicrosoft(context, trx, subscription);
      case "google":
        return stopAtGoogle(context, subscription);
      case "brio":
        return;
      default:
        return unreachable(subscription.family);
    }
  });
}

async function stopAtMicrosoft(
  { partnerCenter }: Context,
  trx: Trx,
  { tenantId, externalId }: Subscription,
): Promise<void> {
  const tenant = tenantId === null ? null : await findTenantRow(trx, tenantId);
  if (tenant === null) throw new RangeError("A Microsoft subscription lives in a tenant");
  const resource = await partnerCenter.getSubscription(tenant.external_id, externalId);
  if (resource.autoRenewEnabled !== true) return;
  const changes = { autoRenewEnabled: false, scheduledNextTermInstructions: null };
  await partnerCenter.updateSubscription(tenant.external_id, resource, changes, randomUUID());
}

async function stopAtGoogle({ google }: Context, { externalId }: Subscription): Promise<void> {
  const { renewal } = await google.getEntitlement(externalId);
  if (renewal?.enableRenewal !== true) return;
  const paymentCycle = renewal.paymentCycle ?? { duration: 1, periodType: "YEAR" };
  const settings = { enableRenewal: false, resizeUnitCount: false, paymentCycle };
  await google.changeRenewalSettings(externalId, settings, randomUUID());
}

function providerOf({ family }: Subscription): "microsoft" | "google" {
  return family === "google" ? "google" : "microsoft";
}
