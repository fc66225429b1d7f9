/**
 * The fulfilment job: takes a paid order to "done" exactly once, tries again with back-off while a provider is away, and
 * calls a person when it gives up. What came of it is written in one transaction.
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

/** Never throws for a provider's sake: what to do next is decided here and written down. */
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

/** @returns what writes down what came of it */
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

/** The subscription that an order changes, held for it, and where it lives. @throws SubscriptionBusy */
async function heldFor(db: Db, order: Order): Promise<Held> {
  const subscription = await holdSubscription(db, order);
  const { parentSubscriptionId } = subscription;
  return { subscription, destination: await destinationOf(db, { ...order, parentSubscriptionId }) };
}

/**
 * The last look before anything is bought in a tenant that the company did not have: whatever let the order through, nobody gets
 * into a tenant that was not shown to be theirs, or that is another's here. What has begun is not asked about again: its buyer
 * would be sent to choose another account for what is bought in this one.
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

/** @returns false when there is nothing to do: done already, given up, or waiting for the buyer */
async function begin(context: Context, orderId: OrderId): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.fulfilmentStatus !== "queued" && order.fulfilmentStatus !== "running") return false;
    if (order.fulfilmentStatus === "queued") await moveOrder(trx, order, { fulfilment_status: "running" });
    await updateFulfilment(trx, orderId, { status: "running" });
    return true;
  });
}

/** The tenant cannot be made as asked: the step is forgotten, and the buyer chooses again. Nothing has been bought. */
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
    // The waiting page told the buyer that it may be closed.
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
    // Waiting for its turn is no try.
    if (error instanceof SubscriptionBusy && error.passes)
      return queueFulfilment(trx, orderId, env.RETRY_BASE_MS);
    const attempts = await countFailedTry(trx, orderId, describe(error));
    if (refused || attempts >= env.FULFILMENT_ATTEMPTS) {
      await updateFulfilment(trx, orderId, { status: "needs_attention" });
      await releaseUnlessInDoubt(trx, orderId);
      await moveOrder(trx, order, { fulfilment_status: "needs_attention" });
      await queueOperatorAlert(trx, {
        // Tried again by a person, it may stop again: then they hear of it again.
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
