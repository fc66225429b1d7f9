/** Handles a failed fulfilment: retries later, asks the buyer again, pauses the vendor, or hands the order to a person. */

import { deleteCredentials } from "#db/accounts/credentials.ts";
import {
  deleteFulfilment,
  readRetryState,
  recordFailedAttempt,
  updateFulfilment,
} from "#db/fulfilment/fulfilments.ts";
import { updateInvitationStatus } from "#db/fulfilment/partner-invitations.ts";
import type { OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import {
  deleteStep,
  deleteUnfinishedSteps,
  hasStepInDoubt,
  mayHaveTakenEffect,
} from "#db/platform/stored-steps.ts";
import type { Trx } from "#db/tables/index.ts";
import { type ErrorPolicy, policyByKind, transientRetry } from "#server/catalogue/families/error-policies.ts";
import { SignInRefusedError } from "#server/catalogue/families/fulfilled.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { assertNever } from "#server/foundation/errors.ts";
import { toStoredMessage } from "#server/foundation/languages/stored-messages.ts";
import { english, type MessageDescriptor } from "#server/foundation/languages/text.ts";
import { queueMail, queueOperatorAlert, queueOwnMail } from "#server/foundation/outbox/mail.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import type { Context } from "#server/platform/context.ts";
import { endRun, requireRun } from "#server/platform/stored-steps/run.ts";
import { withNote, withSignInProblem } from "./buyer-notes.ts";
import { concludeTrial, pauseVendor } from "./pause.ts";
import { queueFulfilment } from "./queue.ts";
import { nextAttempt } from "./retry-schedule.ts";
import { NeedsAttentionError, ResultNotVisibleError, SubscriptionBusyError } from "./stop-reasons.ts";
import { releaseUnlessInDoubt } from "./subscription-lock.ts";

/** Applies the error's policy and stores the outcome. @throws RunSupersededError when another run has started since */
export async function afterFailure(context: Context, order: Order, error: unknown): Promise<void> {
  await context.db.transaction().execute((trx) => requireRun(trx, order.id));
  logFailure(context, order.id, error);
  const policy = await refusalOf(context, order, error);
  await context.db.transaction().execute(async (trx) => {
    const locked = await lockOrder(trx, order.id);
    await endRun(trx, order.id);
    if (locked.fulfilmentStatus !== "running") return;
    if (error instanceof SignInRefusedError) return askSignInAgain(trx, locked, error.descriptor);
    // Waiting for its turn does not count as a try.
    if (error instanceof SubscriptionBusyError && error.passes)
      return queueFulfilment(trx, order.id, context.env.RETRY_BASE_MS);
    const described = describeError(error);
    switch (policy.action) {
      case "retry":
        return tryLater(context, trx, locked, { refusal: policy, described }, retryAfterMs(error));
      case "ask-buyer":
        return askBuyer(trx, locked, { refusal: policy, described });
      case "pause-vendor":
        return pauseVendor(context, trx, locked, { described, meaning: policy.meaning });
      case "needs-attention":
        return giveToPerson(trx, locked, { refusal: policy, described });
      default:
        return assertNever(policy);
    }
  });
  // Any other response shows that the vendor accepts orders.
  if (policy.action !== "pause-vendor") await concludeTrial(context, order);
}

interface Failure<Of extends ErrorPolicy = ErrorPolicy> {
  refusal: Of;
  described: string;
}

async function refusalOf(context: Context, order: Order, error: unknown): Promise<ErrorPolicy> {
  if (error instanceof NeedsAttentionError)
    return { action: "needs-attention", met: "needs a person", meaning: null };
  if (error instanceof ProviderError) {
    const { vendor } = families[order.family];
    return vendor === null ? policyByKind(error) : vendor.classify(context, order, error);
  }
  if (error instanceof ResultNotVisibleError)
    return { action: "retry", retry: transientRetry, met: "not shown", meaning: null };
  // The lock holder needs a person, or our code failed. Either may be resolved while the order waits.
  return { action: "retry", retry: transientRetry, met: "fault", meaning: null };
}

async function tryLater(
  { env }: Context,
  trx: Trx,
  order: Order,
  failure: Failure<Extract<ErrorPolicy, { action: "retry" }>>,
  requestedWaitMs: number,
): Promise<void> {
  const { retry, redoSteps = [], buyerNote, met: name } = failure.refusal;
  const earlier = await readRetryState(trx, order.id);
  const { met, waitMs } = nextAttempt(retry, earlier.met[name], earlier.now, {
    retryBaseMs: env.RETRY_BASE_MS,
    retryAfterMs: requestedWaitMs,
  });
  // A step in doubt may have used an earlier step's result, so redoing that step could buy the same twice.
  const mayRedo = redoSteps.length === 0 || !(await hasStepInDoubt(trx, order.id));
  if (waitMs === null || !mayRedo) return giveToPerson(trx, order, failure);
  await recordFailedAttempt(trx, order.id, {
    error: failure.described,
    met: { ...earlier.met, [name]: met },
  });
  for (const step of redoSteps) await deleteStep(trx, order.id, step);
  if (buyerNote !== undefined) await moveOrder(trx, order, withNote(order, buyerNote));
  if (buyerNote !== undefined && met.times === 1) await mailBuyer(trx, order, "order-delayed", buyerNote);
  await queueFulfilment(trx, order.id, waitMs);
}

async function askBuyer(
  trx: Trx,
  order: Order,
  failure: Failure<Extract<ErrorPolicy, { action: "ask-buyer" }>>,
): Promise<void> {
  const { problem, fixableAtSignIn } = failure.refusal;
  // Once the answer was used to create or buy something, another answer would leave that behind.
  if (fixableAtSignIn && order.signIn !== null && !(await mayHaveTakenEffect(trx, order.id)))
    return askSignInAgain(trx, order, problem);
  await giveToPerson(trx, order, failure, problem);
  await mailBuyer(trx, order, "correction-needed", problem);
}

/**
 * Asks the buyer for the sign-in details again after the vendor refused them, and deletes the unfinished steps. Nothing has
 * been bought.
 */
async function askSignInAgain(trx: Trx, order: Order, problem: MessageDescriptor): Promise<void> {
  await deleteUnfinishedSteps(trx, order.id);
  await deleteCredentials(trx, order.id, ["sign-in", "transfer-token"]);
  await deleteFulfilment(trx, order.id);
  await updateInvitationStatus(trx, order.id, { from: "accepted", to: "refused" });
  await moveOrder(trx, order, {
    fulfilmentStatus: "waiting_for_signin",
    signIn: null,
    ...withSignInProblem(order, problem),
  });
  // A mail is needed, because the waiting page said that the buyer may close it.
  await queueOwnMail(trx, {
    kind: "signin-reminder",
    dedupeKey: `signin-reminder:${order.id}:${order.version}`,
    userId: order.userId,
    orderId: order.id,
  });
}

/** Hands the order to a person. @param note for the buyer; by default the page says that they need not do anything */
async function giveToPerson(
  trx: Trx,
  order: Order,
  { refusal: policy, described }: Failure,
  note?: MessageDescriptor,
): Promise<void> {
  const { met } = await readRetryState(trx, order.id);
  const attempts = await recordFailedAttempt(trx, order.id, { error: described, met });
  await updateFulfilment(trx, order.id, { status: "needs_attention" });
  await releaseUnlessInDoubt(trx, order.id);
  await moveOrder(trx, order, {
    fulfilmentStatus: "needs_attention",
    ...withNote(order, note),
  });
  await queueOperatorAlert(trx, {
    // The version makes the key unique, so that the operator is alerted again when a retried order stops again.
    dedupeKey: `needs-attention:${order.id}:${order.version}`,
    orderId: order.id,
    what: `The order stopped after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}: ${described}`,
    toDo: [
      ...(policy.meaning === null ? [] : [`What it means: ${policy.meaning}`]),
      ...(note === undefined ? [] : [`We emailed the buyer: ${english(note)}`]),
      "Once the cause is fixed, try again in Desk. Completed steps aren't repeated.",
    ],
  });
}

async function mailBuyer(
  trx: Trx,
  order: Order,
  kind: "order-delayed" | "correction-needed",
  said: MessageDescriptor,
): Promise<void> {
  const { account, userId, id, version } = order;
  if (account === null) return;
  const { text, message } = toStoredMessage(said);
  await queueMail(trx, {
    kind,
    dedupeKey: `${kind}:${id}:${version}`,
    recipient: account.email,
    userId,
    orderId: id,
    data: { said: text, saidMessage: message },
  });
}

function logFailure({ log }: Context, orderId: OrderId, error: unknown): void {
  if (error instanceof SignInRefusedError)
    log.info({ orderId, problem: error.message }, "sign-in details refused, asking the buyer again");
  else if (
    error instanceof SubscriptionBusyError ||
    error instanceof NeedsAttentionError ||
    error instanceof ResultNotVisibleError
  )
    log.info({ orderId, reason: error.message }, "fulfilment waits");
  else if (error instanceof ProviderError)
    log.warn(
      { err: error, orderId, description: error.description },
      "a vendor refused: the order is tried later, or goes to a person",
    );
  else log.error({ err: error, orderId }, "fulfilment failed for a reason of our own");
}

/** Returns the wait that a vendor requests, in milliseconds; 0 without one. */
export function retryAfterMs(error: unknown): number {
  return error instanceof ProviderError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
}

/** Describes an error to the operator. */
export function describeError(error: unknown): string {
  if (error instanceof ProviderError)
    return [error.message, error.description].filter(Boolean).join(": ").slice(0, 1000);
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1000) : "unknown error";
}
