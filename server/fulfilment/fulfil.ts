/**
 * The fulfilment job: takes a paid order to "done" exactly once, tries again with back-off while a provider is away, and
 * calls a person when it gives up. What came of it is written in one transaction.
 */
import { type CustomerId, newId, type OrderId, type SubscriptionId, type TenantId } from "#db/ids.ts";
import type { Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { unreachable } from "#server/errors.ts";
import { queueMail, queueOperatorAlert } from "#server/mail/outbox.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import type { Order } from "#server/orders/order.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { endOfTerm } from "#server/subscriptions/term.ts";
import { fulfilBrio } from "./brio.ts";
import { destinationOf } from "./destination.ts";
import { type Fulfilled, SignInRefused } from "./fulfilled.ts";
import { fulfilGoogle } from "./google.ts";
import { fulfilMicrosoft } from "./microsoft.ts";
import { queueFulfilment } from "./queue.ts";

const longestWaitMs = 3_600_000;

/** Never throws for a provider's sake: what to do next is decided here and written down. */
export async function fulfilOrder(context: Context, orderId: OrderId): Promise<void> {
  if (!(await begin(context, orderId))) return;
  const order = await findOrder(context.db, orderId);
  if (order === null) return;
  try {
    const fulfilled = await fulfilFamily(context, order);
    await context.db.transaction().execute((trx) => finish(trx, orderId, fulfilled));
    context.log.info({ orderId }, "order fulfilled");
  } catch (error) {
    if (error instanceof SignInRefused) await askSignInAgain(context, orderId, error.message);
    else await tryLaterOrGiveUp(context, orderId, error);
  }
}

async function fulfilFamily(context: Context, order: Order): Promise<Fulfilled> {
  switch (order.family) {
    case "microsoft":
      return fulfilMicrosoft(context, order, await destinationOf(context.db, order));
    case "brio":
      return fulfilBrio(context, order);
    case "google":
      return fulfilGoogle(context, order, await destinationOf(context.db, order));
    default:
      return unreachable(order.family);
  }
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

async function finish(trx: Trx, orderId: OrderId, fulfilled: Fulfilled): Promise<void> {
  const order = await lockOrder(trx, orderId);
  if (order.fulfilmentStatus === "done") return;
  const { customerId, line } = order;
  if (customerId === null) throw new RangeError("A paid order has no customer");
  const now = new Date();

  const tenantId = await saveTenant(trx, customerId, order.family, fulfilled);
  const subscriptionId = newId<SubscriptionId>();
  await trx
    .insertInto("subscriptions")
    .values({
      id: subscriptionId,
      customer_id: customerId,
      tenant_id: tenantId,
      order_id: orderId,
      item_id: line.itemId,
      family: order.family,
      external_id: fulfilled.subscriptionId,
      domain: fulfilled.domain,
      quantity: line.quantity,
      term: line.term,
      billing_cycle: line.billingCycle,
      status: "active",
      parent_subscription_id: order.parentSubscriptionId,
      start_date: now,
      end_date: endOfTerm(now, line.term),
    })
    .execute();
  await moveOrder(trx, order, {
    stage: "stage4",
    fulfilment_status: "done",
    fulfilled_at: now,
    tenant_id: tenantId,
    subscription_id: subscriptionId,
  });
  await setStatus(trx, orderId, { status: "done", last_error: null });
  if (order.account !== null) {
    await queueMail(trx, {
      kind: order.family === "brio" ? "brio-access" : "order-confirmation",
      dedupeKey: `order-confirmation:${orderId}`,
      recipient: order.account.email,
      userId: order.userId,
      orderId,
    });
  }
}

/** The tenant's row, made unless the company has it already from an earlier order. */
async function saveTenant(
  trx: Trx,
  customerId: CustomerId,
  family: Order["family"],
  { tenant, domain }: Fulfilled,
): Promise<TenantId | null> {
  if (tenant === null) return null;
  await trx
    .insertInto("tenants")
    .values({
      id: newId<TenantId>(),
      customer_id: customerId,
      family,
      external_id: tenant.externalId,
      domain,
      name: tenant.name,
    })
    .onConflict((oc) => oc.columns(["customer_id", "family", "external_id"]).doNothing())
    .execute();
  const saved = await trx
    .selectFrom("tenants")
    .select("id")
    .where("customer_id", "=", customerId)
    .where("family", "=", family)
    .where("external_id", "=", tenant.externalId)
    .executeTakeFirstOrThrow();
  return saved.id;
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
  const refused = error instanceof ProviderError && error.kind === "refused";
  if (error instanceof ProviderError)
    log.warn({ err: error, orderId, description: error.description }, "fulfilment failed");
  else log.error({ err: error, orderId }, "fulfilment failed for a reason of our own");

  await context.db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    if (order.fulfilmentStatus !== "running") return;
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
      await moveOrder(trx, order, { fulfilment_status: "needs_attention" });
      await queueOperatorAlert(trx, {
        dedupeKey: `needs-attention:${orderId}:${attempts}`,
        orderId,
        what: `Fulfilment stopped after ${attempts} ${attempts === 1 ? "try" : "tries"}: ${describe(error)}`,
      });
      return;
    }
    const asked = error instanceof ProviderError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
    const waitMs = Math.max(asked, Math.min(longestWaitMs, env.RETRY_BASE_MS * 2 ** (attempts - 1)));
    await queueFulfilment(trx, orderId, new Date(Date.now() + waitMs));
  });
}

function describe(error: unknown): string {
  if (error instanceof ProviderError)
    return [error.message, error.description].filter(Boolean).join(": ").slice(0, 1000);
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 1000) : "unknown error";
}

async function setStatus(
  trx: Trx,
  orderId: OrderId,
  changes: { status: "queued" | "running" | "done" | "needs_attention"; last_error?: string | null },
): Promise<void> {
  await trx
    .updateTable("fulfilments")
    .set({ ...changes, updated_at: new Date() })
    .where("order_id", "=", orderId)
    .execute();
}
