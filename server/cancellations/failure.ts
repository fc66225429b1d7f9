/** What follows when a cancellation could not be carried out: it is tried later, or its vendor has refused it for good. */
import { type Cancellation, readCancellationLocked, updateCancellation } from "#db/cancellations.ts";
import { releaseSubscription, type Subscription } from "#db/subscriptions.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { families } from "#server/families/family.ts";
import { atWork, hiccup, type Refusal, refusalByKind } from "#server/families/refusals.ts";
import { inMilliseconds, meet } from "#server/fulfilment/patience.ts";
import { beginPause, isPaused, probeEverySeconds } from "#server/fulfilment/pause.ts";
import { askedMs, describe } from "#server/fulfilment/refused.ts";
import { NotShown } from "#server/fulfilment/stops.ts";
import { type Told, toIssue, told } from "#server/languages/text.ts";
import { findOrder } from "#server/orders/find.ts";
import { queueVendorNotice } from "#server/outbox/mail.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { endRun, requireRun } from "#server/stored-steps/run.ts";
import { queueCancellation } from "./queue.ts";
import { tellOf } from "./tell.ts";

/** After its patience is over, a cancellation is tried every hour: somebody may have mended the cause, or done it by hand. */
const afterPatience = 3_600;

/** True while its vendor is paused: it then waits without using up its patience. */
export async function waitsForVendor(
  { db, env }: Context,
  { id }: Cancellation,
  subscription: Subscription,
): Promise<boolean> {
  if (!(await isPaused(db, subscription))) return false;
  await db
    .transaction()
    .execute((trx) => queueCancellation(trx, id, inMilliseconds(probeEverySeconds, env.RETRY_BASE_MS)));
  return true;
}

/** Stores what follows from an error, and queues what has to be done next. @throws TakenOver when that is another run's to say */
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
  const refusal = await refusalOf(context, { orderId }, subscription, error);
  await context.db.transaction().execute(async (trx) => {
    await endRun(trx, orderId);
    const locked = await readCancellationLocked(trx, id);
    if (locked === null || (locked.state !== "requested" && locked.state !== "vendor_done")) return;
    if (isTooLate && locked.state === "requested")
      return refuse(trx, locked, tooLateFor(locked, subscription), describe(error));
    if (refusal.class === "out") {
      await beginPause(env, trx, subscription, {
        reason: [describe(error), refusal.meaning].filter((part) => part !== null).join(" — "),
        metBy: `Met first by the cancellation ${id} of ${subscription.domain}.`,
        dedupeKey: `vendor-paused:${id}:${Date.now()}`,
      });
      return queueCancellation(trx, id, inMilliseconds(probeEverySeconds, env.RETRY_BASE_MS));
    }
    return tryLater(context, trx, locked, subscription, { refusal, error });
  });
}

async function refusalOf(
  context: Context,
  { orderId }: Pick<Cancellation, "orderId">,
  { family }: Subscription,
  error: unknown,
): Promise<Refusal> {
  if (error instanceof ProviderError) {
    const { vendor } = families[family];
    const order = vendor === null ? null : await findOrder(context.db, orderId);
    return vendor === null || order === null ? refusalByKind(error) : vendor.classify(context, order, error);
  }
  // The vendor may be working on it for a day.
  if (error instanceof NotShown)
    return { class: "passes", patience: atWork, met: "not shown", meaning: null };
  return { class: "passes", patience: hiccup, met: "fault", meaning: null };
}

/** The vendor's own date has passed meanwhile. */
function tooLateFor({ kind }: Cancellation, { family }: Subscription): Told {
  const { label } = families[family];
  return told(kind === "cancel" ? "cancellation.refusedCancel" : "cancellation.refusedReduce", {
    family: label,
  });
}

/** A person has decided that it is not carried out (decide.ts). */
export async function refuseByPerson(
  trx: Trx,
  { id }: Cancellation,
  { family }: Subscription,
): Promise<void> {
  const locked = await readCancellationLocked(trx, id);
  if (locked?.state !== "requested" || locked.decision === null) return;
  const { label } = families[family];
  const { reason } = locked.decision;
  const problem = told(
    locked.kind === "cancel" ? "cancellation.stoppedCancel" : "cancellation.stoppedReduce",
    {
      family: label,
      reason,
    },
  );
  await refuse(trx, locked, problem, locked.lastError);
}

/** Nothing was changed at the vendor, so nothing comes back. */
async function refuse(
  trx: Trx,
  cancellation: Cancellation,
  problem: Told,
  described: string | null,
): Promise<void> {
  const { id, orderId } = cancellation;
  await updateCancellation(trx, cancellation, {
    state: "refused",
    problem: toIssue(problem),
    lastError: described,
    needsPerson: false,
    finishedAt: new Date(),
  });
  await releaseSubscription(trx, orderId);
  await tellOf(trx, { ...cancellation, id }, "refused");
}

async function tryLater(
  { env }: Context,
  trx: Trx,
  cancellation: Cancellation,
  { name, domain, family }: Subscription,
  { refusal, error }: { refusal: Refusal; error: unknown },
): Promise<void> {
  const { id, met: before, kind } = cancellation;
  const described = describe(error);
  const { met, waitMs } =
    refusal.class === "passes"
      ? meet(refusal.patience, before[refusal.met], new Date(), {
          retryBaseMs: env.RETRY_BASE_MS,
          askedMs: askedMs(error),
        })
      : { met: before[refusal.met], waitMs: null };
  await updateCancellation(trx, cancellation, {
    lastError: described,
    needsPerson: waitMs === null,
    met: met === undefined ? before : { ...before, [refusal.met]: met },
  });
  await queueCancellation(trx, id, waitMs ?? inMilliseconds(afterPatience, env.RETRY_BASE_MS));
  if (waitMs !== null) return;
  const { label } = families[family];
  await queueVendorNotice(trx, {
    dedupeKey: `cancellation-stuck:${id}:${refusal.met}`,
    subject: `A ${kind === "cancel" ? "cancellation" : "reduction"} does not go through: ${domain}`,
    what: `${label} does not carry out the ${kind === "cancel" ? "cancellation" : "reduction"} ${id} of ${name}, ${domain}: ${described}`,
    toDo: [
      ...(refusal.meaning === null ? [] : [`What it means: ${refusal.meaning}`]),
      `The store tries again every hour. Mend the cause, or make the change in ${label}'s own console: the next try sees it there and refunds the buyer. See "A cancellation does not go through" in docs/operate/runbooks.md.`,
    ],
  });
}
