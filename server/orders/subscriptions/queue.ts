/** Adds the jobs of subscriptions to the queue, each at most once for a subscription. */
import type { SubscriptionId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";

/** The end is at least a month away, so jobs that a buyer waits for go first. */
const stopRenewalAfterMs = 3_600_000;

/** Call whenever a term begins, and whenever its seats have changed, which makes a vendor forget how it ends. */
export async function queueStopRenewal(trx: Trx, subscriptionId: SubscriptionId): Promise<void> {
  await addJob(
    trx,
    "stop-renewal",
    { subscriptionId },
    { jobKey: `stop-renewal:${subscriptionId}`, delayMs: stopRenewalAfterMs },
  );
}

/** Call when a vendor may have changed it. Refreshes run one at a time, within the vendors' limits. */
export async function queueRefresh(trx: Trx, subscriptionId: SubscriptionId): Promise<void> {
  await addJob(
    trx,
    "refresh-subscription",
    { subscriptionId },
    { jobKey: `refresh:${subscriptionId}`, queueName: "refresh" },
  );
}
