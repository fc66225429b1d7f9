/**
 * The fulfilment job: takes a paid order to "done" exactly once, tries again with back-off while a provider is away, and
 * calls a person when it gives up. What came of it is written in one transaction.
 */
import type { OrderId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { unreachable } from "#server/errors.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import type { Order } from "#server/orders/order.ts";
import { queueMail, queueOperatorAlert } from "#server/outbox/mail.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { fulfilBrio } from "../families/brio/index.ts";
import { type Fulfilled, NeedsPerson, SignInRefused, SubscriptionBusy } from "../families/fulfilled.ts";
import { fulfilGoogle } from "../families/google/purchase.ts";
import { fulfilMicrosoft } from "../families/microsoft/purchase.ts";
import { heldElsewhere, isProven, isTakenElsewhere } from "./control.ts";
import { type Destination, destinationOf } from "./destination.ts";
import { finishPurchase, finishRenewal, finishSeats } from "./finish.ts";
import { holdSubscription, releaseUnlessInDoubt } from "./hold.ts";
import { queueFulfilment, setStatus } from "./queue.ts";
import { renew } from "./renewal.ts";
import { addSeats } from "./seats.ts";

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
  switch (order.kind) {
    case "ADD": {
      const added = await addSeats(context, order, await holdSubscription(context.db, order));
      return (trx, locked) => finishSeats(trx, locked, added);
    }
    case "RENEW": {
      const renewed = await renew(context, order, await holdSubscription(context.db, order));
      return (trx, locked) => finishRenewal(trx, locked, renewed);
    }
    case "NEW":
    case "TUP":
    case "ADDON": {
      const fulfilled = await fulfilFamily(context, order);
      return (trx, locked) => finishPurchase(trx, locked, fulfilled);
    }
    default:
      return unreachable(order.kind);
  }
}

async function fulfilFamily(context: Context, order: Order): Promise<Fulfilled> {
  const destination = await destinationOf(context.db, order);
  if (destination !== null) await requireOwn(context, order, destination);
  switch (order.family) {
    case "microsoft":
      return fulfilMicrosoft(context, order, destination);
    case "brio":
      return fulfilBrio(context, order);
    case "google":
      return fulfilGoogle(context, order, destination);
    default:
      return unreachable(order.family);
  }
}

/**
 * The last look before anything is bought in a tenant that the company did not have: whatever let the order through, nobody gets
 * into a tenant that was not shown to be theirs, or that is another's here. What has begun is not asked about again: its buyer
 * would be sent to choose another account for what is bought in this one.
 */
async function requireOwn({ db }: Context, order: Order, destination: Destination): Promise<void> {
  const { customerId, family, tenantId } = order;
  if (tenantId !== null || customerId === null || (await hasBegun(db, order.id))) return;
  const claim = { customerId, family, tenantExternalId: destination.externalId };
  if (!(await isProven(db, claim, new Date()))) {
    throw new SignInRefused(`An administrator of ${destination.domain} has to confirm this order.`);
  }
  const isTaken = await db.transaction().execute((trx) => isTakenElsewhere(trx, claim, order));
  if (isTaken) throw new SignInRefused(heldElsewhere);
}

async function hasBegun(db: Db, orderId: OrderId): Promise<boolean> {
  const step = await db
    .selectFrom("provider_requests")
    .select("step")
    .where("order_id", "=", orderId)
    .limit(1)
    .executeTakeFirst();
  return step !== undefined;
}

/** @returns false when there is nothing to do: done already, given up, or waiting for the buyer */
async function begin(context: Context, orderId: OrderId): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.fulfilmentStatus !== "queued" && order.fulfilmentStatus !== "running") return false;
    if (order.fulfilmentStatus === "queued") await moveOrder(trx, order, { fulfilment_status: "running" });
    await setStatus(trx, orderId, { status: "running" });
    return true;
  });
}

/** The tenant cannot be made as asked: the step is forgotten, and the buyer chooses again. Nothing has been bought. */
async function askSignInAgain(context: Context, orderId: OrderId, problem: string): Promise<void> {
  context.log.info({ orderId, problem }, "sign-in details refused, asking the buyer again");
  await context.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    await trx
      .deleteFrom("provider_requests")
      .where("order_id", "=", orderId)
      .where("status", "=", "sent")
      .execute();
    await trx
      .deleteFrom("credentials")
      .where("order_id", "=", orderId)
      .where("purpose", "in", ["sign-in", "transfer-token"])
      .execute();
    await trx.deleteFrom("fulfilments").where("order_id", "=", orderId).execute();
    await trx
      .updateTable("invitations")
      .set({ status: "refused" })
      .where("order_id", "=", orderId)
      .where("status", "=", "accepted")
      .execute();
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
    const { attempts } = await trx
      .updateTable("fulfilments")
      .set((eb) => ({
        attempts: eb("attempts", "+", 1),
        last_error: describe(error),
        updated_at: new Date(),
      }))
      .where("order_id", "=", orderId)
      .returning("attempts")
      .executeTakeFirstOrThrow();
    if (refused || attempts >= env.FULFILMENT_ATTEMPTS) {
      await setStatus(trx, orderId, { status: "needs_attention" });
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
