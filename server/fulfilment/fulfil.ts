/**
 * The fulfilment job: takes a paid order to "done" exactly once, retries with back-off while a provider is unavailable,
 * and hands the order to a person when it gives up. The result is stored in one transaction.
 */
import { deleteCredentials } from "#db/credentials.ts";
import { countFailedTry, deleteFulfilment, updateFulfilment } from "#db/fulfilments.ts";
import type { OrderId } from "#db/ids.ts";
import { moveInvitations } from "#db/invitations.ts";
import type { Order } from "#db/order.ts";
import { deleteUnfinishedSteps, hasSteps } from "#db/stored-steps.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { unreachable } from "#server/errors.ts";
import { type Destination, families, type Held } from "#server/families/family.ts";
import { SignInRefused } from "#server/families/fulfilled.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { queueMail, queueOperatorAlert } from "#server/outbox/mail.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { heldElsewhere, isProven, isTakenElsewhere } from "./control.ts";
import { destinationOf } from "./destination.ts";
import { finishPurchase, finishRenewal, finishSeats } from "./finish.ts";
import { holdSubscription, releaseUnlessInDoubt } from "./hold.ts";
import { queueFulfilment } from "./queue.ts";
import { renew } from "./renewal.ts";
import { NeedsPerson, SubscriptionBusy } from "./stops.ts";

const longestWaitMs = 3_600_000;

/** Never throws because of a provider: the next retry is decided and stored here. */
export async function fulfilOrder(context: Context, orderId: OrderId): Promise<void> {
  if (!(await begin(context, orderId))) return;
  const order = await findOrder(context.db, orderId);
  if (order === null) return;
  try {
    const finish = await carryOut(context, order);
    await context.db.transaction().execute(async (trx) => {
      const locked = await lockOrder(trx, orderId);
      if (locked.fulfilmentStatus !== "done") await finish(trx, locked);
    });
    context.log.info({ orderId }, "order fulfilled");
  } catch (error) {
    if (error instanceof SignInRefused) await askSignInAgain(context, orderId, error.message);
    else await tryLaterOrGiveUp(context, orderId, error);
  }
}

/** @returns a function that stores the result */
async function carryOut(context: Context, order: Order): Promise<(trx: Trx, order: Order) => Promise<void>> {
  const { db } = context;
  const family = families[order.family];
  switch (order.kind) {
    case "ADD": {
      const seats = await family.addSeats(context, order, await heldFor(db, order));
      return (trx, locked) => finishSeats(trx, locked, seats);
    }
    case "RENEW": {
      const renewed = await renew(context, order, await heldFor(db, order));
      return (trx, locked) => finishRenewal(trx, locked, renewed);
    }
    case "NEW":
    case "TUP":
    case "ADDON": {
      const destination = await destinationOf(db, order);
      if (destination !== null) await requireOwn(context, order, destination);
      const fulfilled = await family.purchase(context, order, destination);
      return (trx, locked) => finishPurchase(trx, locked, fulfilled);
    }
    default:
      return unreachable(order.kind);
  }
}

/** Takes the hold on the subscription that an order changes. @throws SubscriptionBusy */
async function heldFor(db: Db, order: Order): Promise<Held> {
  const subscription = await holdSubscription(db, order);
  const { parentSubscriptionId } = subscription;
  return { subscription, destination: await destinationOf(db, { ...order, parentSubscriptionId }) };
}

/**
 * The last check before anything is bought in a tenant that is new to the company: without a proof, or when the tenant is
 * another company's here, nothing is bought. An order with stored steps is not checked again, because its buyer would be
 * asked for another account after a purchase in this one.
 */
async function requireOwn({ db }: Context, order: Order, destination: Destination): Promise<void> {
  const { customerId, family, tenantId } = order;
  if (tenantId !== null || customerId === null || (await hasSteps(db, order.id))) return;
  const claim = { customerId, family, tenantExternalId: destination.externalId };
  if (!(await isProven(db, claim, new Date()))) {
    throw new SignInRefused(`An administrator of ${destination.domain} has to confirm this order.`);
  }
  const isTaken = await db.transaction().execute((trx) => isTakenElsewhere(trx, claim, order));
  if (isTaken) throw new SignInRefused(heldElsewhere);
}

/** @returns false when there is nothing to do: the order is done, given up, or waits for the buyer */
async function begin(context: Context, orderId: OrderId): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.fulfilmentStatus !== "queued" && order.fulfilmentStatus !== "running") return false;
    if (order.fulfilmentStatus === "queued") await moveOrder(trx, order, { fulfilment_status: "running" });
    await updateFulfilment(trx, orderId, { status: "running" });
    return true;
  });
}

/**
 * The provider refused the sign-in details. Deletes the unfinished steps and asks the buyer again. Nothing has been
 * bought.
 */
async function askSignInAgain(context: Context, orderId: OrderId, problem: string): Promise<void> {
  context.log.info({ orderId, problem }, "sign-in details refused, asking the buyer again");
  await context.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    await deleteUnfinishedSteps(trx, orderId);
    await deleteCredentials(trx, orderId, ["sign-in", "transfer-token"]);
    await deleteFulfilment(trx, orderId);
    await moveInvitations(trx, orderId, { from: "accepted", to: "refused" });
    await moveOrder(trx, order, {
      fulfilment_status: "waiting_for_signin",
      signin: null,
      details: JSON.stringify({ ...order.details, signInProblem: problem }),
    });
    // A mail is needed, because the waiting page told the buyer that they may close it.
    if (order.account !== null) {
      await queueMail(trx, {
        kind: "signin-reminder",
        dedupeKey: `signin-refused:${orderId}:${order.version}`,
        recipient: order.account.email,
        userId: order.userId,
        orderId,
      });
    }
  });
}

async function tryLaterOrGiveUp(context: Context, orderId: OrderId, error: unknown): Promise<void> {
  const { env, log } = context;
  const refused =
    error instanceof NeedsPerson || (error instanceof ProviderError && error.kind === "refused");
  if (error instanceof SubscriptionBusy || error instanceof NeedsPerson)
    log.info({ orderId, reason: error.message }, "fulfilment waits");
  else if (error instanceof ProviderError)
    log.warn({ err: error, orderId, description: error.description }, "fulfilment failed");
  else log.error({ err: error, orderId }, "fulfilment failed for a reason of our own");

  await context.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.fulfilmentStatus !== "running") return;
    // Waiting for its turn does not count as a try.
    if (error instanceof SubscriptionBusy && error.passes)
      return queueFulfilment(trx, orderId, env.RETRY_BASE_MS);
    const attempts = await countFailedTry(trx, orderId, describe(error));
    if (refused || attempts >= env.FULFILMENT_ATTEMPTS) {
      await updateFulfilment(trx, orderId, { status: "needs_attention" });
      await releaseUnlessInDoubt(trx, orderId);
      await moveOrder(trx, order, { fulfilment_status: "needs_attention" });
      await queueOperatorAlert(trx, {
        // The version makes the key unique, so that the operator is alerted again when a retried order stops again.
        dedupeKey: `needs-attention:${orderId}:${order.version}`,
        orderId,
        what: `Fulfilment stopped after ${attempts} ${attempts === 1 ? "try" : "tries"}: ${describe(error)}`,
        toDo: [
          `See what was asked of the provider and what came of it: npm run order -- show ${orderId}`,
          `When the cause is gone, try again: npm run order -- retry ${orderId} --reason "what was done about it". What has succeeded is not repeated.`,
        ],
      });
      return;
    }
    const asked = error instanceof ProviderError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    const waitMs = Math.max(asked, Math.min(longestWaitMs, env.RETRY_BASE_MS * 2 ** (attempts - 1)));
    await queueFulfilment(trx, orderId, waitMs);
  });
}

function describe(error: unknown): string {
  if (error instanceof ProviderError)
    return [error.message, error.description].filter(Boolean).join(": ").slice(0, 1000);
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1000) : "unknown error";
}
