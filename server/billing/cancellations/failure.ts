/** Handles a failed cancellation: retries it later, or refuses it when the vendor has refused it permanently. */
import { type Cancellation, readCancellationLocked, updateCancellation } from "#db/billing/cancellations.ts";
import { releaseSubscriptionLock } from "#db/orders/subscription-lock.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import {
  type ErrorPolicy,
  inProgressRetry,
  policyByKind,
  transientRetry,
} from "#server/catalogue/families/error-policies.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { type MessageDescriptor, msg, serializeMessage } from "#server/foundation/languages/text.ts";
import { queueOperatorVendorAlert } from "#server/foundation/outbox/mail.ts";
import { describeError, retryAfterMs } from "#server/fulfilment/failure.ts";
import { beginPause, isPaused, probeEverySeconds } from "#server/fulfilment/pause.ts";
import { nextAttempt, scaledMs } from "#server/fulfilment/retry-schedule.ts";
import { ResultNotVisibleError } from "#server/fulfilment/stop-reasons.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { findOrder } from "#server/orders/find.ts";
import type { Context } from "#server/platform/context.ts";
import { endRun, requireRun } from "#server/platform/stored-steps/run.ts";
import { notifyOfCancellation } from "./notify.ts";
import { queueCancellation } from "./queue.ts";

/** Interval after the retries are exhausted: somebody may have fixed the cause, or made the change manually. */
const afterRetriesSeconds = 3_600;

/** Whether its vendor is paused; the cancellation then waits without using up tries. */
export async function isVendorPaused(
  { db, env }: Context,
  { id }: Cancellation,
  subscription: Subscription,
): Promise<boolean> {
  if (!(await isPaused(db, subscription))) return false;
  await db
    .transaction()
    .execute((trx) => queueCancellation(trx, id, scaledMs(probeEverySeconds, env.RETRY_BASE_MS)));
  return true;
}

/** Applies the error's policy and stores the outcome. @throws RunSupersededError when another run has started since */
export async function afterFailure(
  context: Context,
  { id, orderId }: Cancellation,
  subscription: Subscription,
  error: unknown,
): Promise<void> {
  const { log, env } = context;
  await context.db.transaction().execute((trx) => requireRun(trx, orderId));
  log.warn({ err: error, cancellationId: id, subscriptionId: subscription.id }, "a cancellation failed");
  const isTooLate = error instanceof ProviderError && families[subscription.family].returns.isTooLate(error);
  const policy = await refusalOf(context, { orderId }, subscription, error);
  await context.db.transaction().execute(async (trx) => {
    await endRun(trx, orderId);
    const locked = await readCancellationLocked(trx, id);
    if (locked === null || (locked.state !== "requested" && locked.state !== "vendor_done")) return;
    if (isTooLate && locked.state === "requested")
      return refuse(trx, locked, tooLateFor(locked, subscription), describeError(error));
    if (policy.action === "pause-vendor") {
      await beginPause(env, trx, subscription, {
        reason: [describeError(error), policy.meaning].filter((part) => part !== null).join(" — "),
        metBy: `Met first by the cancellation ${id} of ${subscription.domain}.`,
        dedupeKey: `vendor-paused:${id}:${Date.now()}`,
      });
      return queueCancellation(trx, id, scaledMs(probeEverySeconds, env.RETRY_BASE_MS));
    }
    return tryLater(context, trx, locked, subscription, { refusal: policy, error });
  });
}

async function refusalOf(
  context: Context,
  { orderId }: Pick<Cancellation, "orderId">,
  { family }: Subscription,
  error: unknown,
): Promise<ErrorPolicy> {
  if (error instanceof ProviderError) {
    const { vendor } = families[family];
    const order = vendor === null ? null : await findOrder(context.db, orderId);
    return vendor === null || order === null ? policyByKind(error) : vendor.classify(context, order, error);
  }
  // The vendor may take up to a day to make the change.
  if (error instanceof ResultNotVisibleError)
    return { action: "retry", retry: inProgressRetry, met: "not shown", meaning: null };
  return { action: "retry", retry: transientRetry, met: "fault", meaning: null };
}

/** Builds the message for a vendor's deadline that has passed in the meantime. */
function tooLateFor({ kind }: Cancellation, { family }: Subscription): MessageDescriptor {
  const { label } = families[family];
  return msg(kind === "cancel" ? "cancellation.refusedCancel" : "cancellation.refusedReduce", {
    family: label,
  });
}

/** Refuses a cancellation by a decision of staff (decide.ts). */
export async function refuseByPerson(
  trx: Trx,
  { id }: Cancellation,
  { family }: Subscription,
): Promise<void> {
  const locked = await readCancellationLocked(trx, id);
  if (locked?.state !== "requested" || locked.decision === null) return;
  const { label } = families[family];
  const { reason } = locked.decision;
  const problem = msg(
    locked.kind === "cancel" ? "cancellation.stoppedCancel" : "cancellation.stoppedReduce",
    {
      family: label,
      reason,
    },
  );
  await refuse(trx, locked, problem, locked.lastError);
}

/** Refuses a cancellation without a refund, because nothing was changed at the vendor. */
async function refuse(
  trx: Trx,
  cancellation: Cancellation,
  problem: MessageDescriptor,
  described: string | null,
): Promise<void> {
  const { id, orderId } = cancellation;
  await updateCancellation(trx, cancellation, {
    state: "refused",
    problem: serializeMessage(problem),
    lastError: described,
    needsPerson: false,
    finishedAt: new Date(),
  });
  await releaseSubscriptionLock(trx, orderId);
  await notifyOfCancellation(trx, { ...cancellation, id }, "refused");
}

async function tryLater(
  { env }: Context,
  trx: Trx,
  cancellation: Cancellation,
  { name, domain, family }: Subscription,
  { refusal: policy, error }: { refusal: ErrorPolicy; error: unknown },
): Promise<void> {
  const { id, met: before, kind } = cancellation;
  const described = describeError(error);
  const { met, waitMs } =
    policy.action === "retry"
      ? nextAttempt(policy.retry, before[policy.met], new Date(), {
          retryBaseMs: env.RETRY_BASE_MS,
          retryAfterMs: retryAfterMs(error),
        })
      : { met: before[policy.met], waitMs: null };
  await updateCancellation(trx, cancellation, {
    lastError: described,
    needsPerson: waitMs === null,
    met: met === undefined ? before : { ...before, [policy.met]: met },
  });
  await queueCancellation(trx, id, waitMs ?? scaledMs(afterRetriesSeconds, env.RETRY_BASE_MS));
  if (waitMs !== null) return;
  const { label } = families[family];
  await queueOperatorVendorAlert(trx, {
    dedupeKey: `cancellation-stuck:${id}:${policy.met}`,
    subject: `A ${kind === "cancel" ? "cancellation" : "reduction"} isn't going through: ${domain}`,
    what: `${label} didn't complete the ${kind === "cancel" ? "cancellation" : "reduction"} ${id} of ${name}, ${domain}: ${described}`,
    toDo: [
      ...(policy.meaning === null ? [] : [`What it means: ${policy.meaning}`]),
      `The store retries every hour. Fix the cause, or make the change in ${label}'s console: the next attempt detects it and refunds the buyer. See "A cancellation does not go through" in docs/operate/runbooks.md.`,
    ],
  });
}
