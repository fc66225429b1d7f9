/** What follows when an order could not be carried out: it is tried later, goes back to its buyer, or needs a person. */

import { deleteCredentials } from "#db/credentials.ts";
import { deleteFulfilment, readTries, saveFailedTry, updateFulfilment } from "#db/fulfilments.ts";
import type { OrderId } from "#db/ids.ts";
import { moveInvitations } from "#db/invitations.ts";
import type { Order } from "#db/order.ts";
import { deleteStep, deleteUnfinishedSteps, hasStepInDoubt, mayHaveActed } from "#db/stored-steps.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { unreachable } from "#server/errors.ts";
import { families } from "#server/families/family.ts";
import { SignInRefused } from "#server/families/fulfilled.ts";
import { hiccup, type Refusal, refusalByKind } from "#server/families/refusals.ts";
import { keep } from "#server/languages/kept.ts";
import { english, type Told } from "#server/languages/text.ts";
import { lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { queueMail, queueOperatorAlert } from "#server/outbox/mail.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { endRun, requireRun } from "#server/stored-steps/run.ts";
import { releaseUnlessInDoubt } from "./hold.ts";
import { withNote, withSignInProblem } from "./note.ts";
import { meet } from "./patience.ts";
import { concludeTrial, pauseVendor } from "./pause.ts";
import { queueFulfilment } from "./queue.ts";
import { NeedsPerson, NotShown, SubscriptionBusy } from "./stops.ts";

/** Stores what follows from an error, and queues what has to be done next. @throws TakenOver when that is another run's to say */
export async function afterFailure(context: Context, order: Order, error: unknown): Promise<void> {
  await context.db.transaction().execute((trx) => requireRun(trx, order.id));
  logFailure(context, order.id, error);
  const refusal = await refusalOf(context, order, error);
  await context.db.transaction().execute(async (trx) => {
    const locked = await lockOrder(trx, order.id);
    await endRun(trx, order.id);
    if (locked.fulfilmentStatus !== "running") return;
    if (error instanceof SignInRefused) return askSignInAgain(trx, locked, error.told);
    // Waiting for its turn does not count as a try.
    if (error instanceof SubscriptionBusy && error.passes)
      return queueFulfilment(trx, order.id, context.env.RETRY_BASE_MS);
    const described = describe(error);
    switch (refusal.class) {
      case "passes":
        return tryLater(context, trx, locked, { refusal, described }, askedMs(error));
      case "buyer":
        return askBuyer(trx, locked, { refusal, described });
      case "out":
        return pauseVendor(context, trx, locked, { described, meaning: refusal.meaning });
      case "person":
        return giveToPerson(trx, locked, { refusal, described });
      default:
        return unreachable(refusal);
    }
  });
  // Whatever else the vendor answers, it takes orders.
  if (refusal.class !== "out") await concludeTrial(context, order);
}

interface Failure<Of extends Refusal = Refusal> {
  refusal: Of;
  described: string;
}

async function refusalOf(context: Context, order: Order, error: unknown): Promise<Refusal> {
  if (error instanceof NeedsPerson) return { class: "person", met: "needs a person", meaning: null };
  if (error instanceof ProviderError) {
    const { vendor } = families[order.family];
    return vendor === null ? refusalByKind(error) : vendor.classify(context, order, error);
  }
  if (error instanceof NotShown)
    return { class: "passes", patience: hiccup, met: "not shown", meaning: null };
  // A holder that needs a person, or a fault of ours. Either may be mended while the order waits.
  return { class: "passes", patience: hiccup, met: "fault", meaning: null };
}

async function tryLater(
  { env }: Context,
  trx: Trx,
  order: Order,
  failure: Failure<Extract<Refusal, { class: "passes" }>>,
  asked: number,
): Promise<void> {
  const { patience, redo = [], tells, met: name } = failure.refusal;
  const earlier = await readTries(trx, order.id);
  const { met, waitMs } = meet(patience, earlier.met[name], earlier.now, {
    retryBaseMs: env.RETRY_BASE_MS,
    askedMs: asked,
  });
  // What a step in doubt may have bought with an earlier step's result must not be bought again with a new one.
  const mayRedo = redo.length === 0 || !(await hasStepInDoubt(trx, order.id));
  if (waitMs === null || !mayRedo) return giveToPerson(trx, order, failure);
  await saveFailedTry(trx, order.id, { error: failure.described, met: { ...earlier.met, [name]: met } });
  for (const step of redo) await deleteStep(trx, order.id, step);
  if (tells !== undefined) await moveOrder(trx, order, withNote(order, tells));
  if (tells !== undefined && met.times === 1) await mailBuyer(trx, order, "order-delayed", tells);
  await queueFulfilment(trx, order.id, waitMs);
}

async function askBuyer(
  trx: Trx,
  order: Order,
  failure: Failure<Extract<Refusal, { class: "buyer" }>>,
): Promise<void> {
  const { problem, atSignIn } = failure.refusal;
  // Once something was made or bought with the answer, another answer would leave that behind.
  if (atSignIn && order.signIn !== null && !(await mayHaveActed(trx, order.id)))
    return askSignInAgain(trx, order, problem);
  await giveToPerson(trx, order, failure, problem);
  await mailBuyer(trx, order, "correction-needed", problem);
}

/**
 * The vendor refused the sign-in details. Deletes the unfinished steps and asks the buyer again. Nothing has been bought.
 */
async function askSignInAgain(trx: Trx, order: Order, problem: Told): Promise<void> {
  await deleteUnfinishedSteps(trx, order.id);
  await deleteCredentials(trx, order.id, ["sign-in", "transfer-token"]);
  await deleteFulfilment(trx, order.id);
  await moveInvitations(trx, order.id, { from: "accepted", to: "refused" });
  await moveOrder(trx, order, {
    fulfilmentStatus: "waiting_for_signin",
    signIn: null,
    ...withSignInProblem(order, problem),
  });
  // A mail is needed, because the waiting page told the buyer that they may close it.
  await mailBuyer(trx, order, "signin-reminder");
}

/** @param note for the buyer, who otherwise reads that nothing is asked of them */
async function giveToPerson(
  trx: Trx,
  order: Order,
  { refusal, described }: Failure,
  note?: Told,
): Promise<void> {
  const { met } = await readTries(trx, order.id);
  const attempts = await saveFailedTry(trx, order.id, { error: described, met });
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
    what: `The order stopped after ${attempts} ${attempts === 1 ? "try" : "tries"}: ${described}`,
    toDo: [
      ...(refusal.meaning === null ? [] : [`What it means: ${refusal.meaning}`]),
      ...(note === undefined ? [] : [`The buyer was mailed: ${english(note)}`]),
      "When the cause is gone, try again at the desk. What has succeeded is not repeated.",
    ],
  });
}

async function mailBuyer(
  trx: Trx,
  order: Order,
  kind: "signin-reminder" | "order-delayed" | "correction-needed",
  said?: Told,
): Promise<void> {
  const { account, userId, id, version } = order;
  if (account === null) return;
  const kept = said === undefined ? null : keep(said);
  await queueMail(trx, {
    kind,
    dedupeKey: `${kind}:${id}:${version}`,
    recipient: account.email,
    userId,
    orderId: id,
    data: kept === null ? {} : { said: kept.text, saidMessage: kept.message },
  });
}

function logFailure({ log }: Context, orderId: OrderId, error: unknown): void {
  if (error instanceof SignInRefused)
    log.info({ orderId, problem: error.message }, "sign-in details refused, asking the buyer again");
  else if (error instanceof SubscriptionBusy || error instanceof NeedsPerson || error instanceof NotShown)
    log.info({ orderId, reason: error.message }, "fulfilment waits");
  else if (error instanceof ProviderError)
    log.warn(
      { err: error, orderId, description: error.description },
      "a vendor refused: the order is tried later, or goes to a person",
    );
  else log.error({ err: error, orderId }, "fulfilment failed for a reason of our own");
}

/** How long a vendor asks us to wait, in milliseconds. */
export function askedMs(error: unknown): number {
  return error instanceof ProviderError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
}

/** For the operator. */
export function describe(error: unknown): string {
  if (error instanceof ProviderError)
    return [error.message, error.description].filter(Boolean).join(": ").slice(0, 1000);
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1000) : "unknown error";
}
