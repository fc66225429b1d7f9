/** Queues the jobs of subscriptions, each at most once per subscription. */
import type { SubscriptionId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";

/** The term ends in a month or more, so jobs that a buyer waits for go first. */
const stopRenewalAfterMs = 3_600_000;

/**
 * Queues switching automatic renewal off. Call it when a term begins or its seats change, because a vendor then resets the
 * setting.
 */
export async function queueStopRenewal(trx: Trx, subscriptionId: SubscriptionId): Promise<void> {
  await addJob(
    trx,
    "stop-renewal",
    { subscriptionId },
    { jobKey: `stop-renewal:${subscriptionId}`, delayMs: stopRenewalAfterMs },
  );
}

/**
 * Queues a refresh. Call it when a vendor may have changed the subscription. Refreshes run one at a time, within the vendors'
 * limits.
 */
export async function queueRefresh(trx: Trx, subscriptionId: SubscriptionId): Promise<void> {
  await addJob(
    trx,
    "refresh-subscription",
    { subscriptionId },
    { jobKey: `refresh:${subscriptionId}`, queueName: "refresh" },
  );
}
