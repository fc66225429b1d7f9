/**
 * Orders that were in progress at the moment of a restore. Any of them may have been fulfilled since, and would be bought again:
 * each is stopped, and continues once its vendor has shown its state.
 */

import { updateFulfilment } from "#db/fulfilment/fulfilments.ts";
import { newId, type OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { listStoppedBy, listUnfinishedOrders } from "#db/platform/after-restore.ts";
import { insertStep } from "#db/platform/stored-steps.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { type AuditContext, recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { retryFulfilment } from "#server/fulfilment/attention.ts";
import { markFulfilled } from "#server/fulfilment/mark-fulfilled.ts";
import { readVendorOrderState, type VendorOrderState } from "#server/fulfilment/vendor-order-state.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder, needsSignIn } from "#server/orders/order-lifecycle.ts";
import type { Context } from "#server/platform/context.ts";

const action = "order.stop-after-restore";
const why = "The database was restored: whether the order was carried out since has to be seen at its vendor";

/** Stops each of them, so that no worker continues it. @returns the number of stopped orders */
export async function stopUnfinishedOrders({ db }: Context, by: AuditContext): Promise<number> {
  const ids = await listUnfinishedOrders(db);
  for (const id of ids)
    await db.transaction().execute(async (trx) => {
      const order = await lockOrder(trx, id);
      await moveOrder(trx, order, { fulfilmentStatus: "needs_attention" });
      await updateFulfilment(trx, id, { status: "needs_attention", lastError: why });
      const { fulfilmentStatus: before } = order;
      const data = { ...by, staffId: null, before, after: "needs_attention" };
      await recordAudit(trx, { userId: null, action, subject: `order:${id}`, data });
    });
  return ids.length;
}

/**
 * done: it was fulfilled, and now is here; requeued: it was not, and is queued again; waits: its buyer still has to sign in;
 * needs-attention: staff have to look.
 */
export type VendorFollowUp = { order: Order } & (
  | { outcome: "done" | "requeued" | "waits" }
  | { outcome: "needs-attention"; because: string }
);

/**
 * Asks the vendor for the state of each stopped order, and continues the order from there. Repeatable: orders that need a person
 * are checked again.
 */
export async function resumeByVendorState(context: Context, by: AuditContext): Promise<VendorFollowUp[]> {
  const followed: VendorFollowUp[] = [];
  for (const id of await listStoppedBy(context.db, action)) {
    const order = await findOrder(context.db, id);
    if (order !== null) followed.push(await follow(context, order, by));
  }
  return followed;
}

async function follow(context: Context, order: Order, by: AuditContext): Promise<VendorFollowUp> {
  try {
    const seen = await readVendorOrderState(context, order);
    return { order, ...(await goOn(context, order, seen, by)) };
  } catch (error) {
    if (!(error instanceof DomainError || error instanceof ProviderError)) throw error;
    return { order, outcome: "needs-attention", because: error.message };
  }
}

async function goOn(
  context: Context,
  order: Order,
  seen: VendorOrderState,
  by: AuditContext,
): Promise<{ outcome: "done" | "requeued" | "waits" } | { outcome: "needs-attention"; because: string }> {
  switch (seen.state) {
    case "found":
      await markFulfilled(context, order.id, seen.reference, by);
      return { outcome: "done" };
    case "unclear":
      return { outcome: "needs-attention", because: seen.because };
    case "notFound":
      if (needsSignIn(order.kind, order.family) && order.signIn === null && order.tenantId === null) {
        await waitAgain(context, order.id);
        return { outcome: "waits" };
      }
      if (seen.hasAccount) await doubtAccount(context, order);
      await retryFulfilment(context.db, order.id, by);
      return { outcome: "requeued" };
  }
}

async function waitAgain({ db }: Context, id: OrderId): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await moveOrder(trx, await lockOrder(trx, id), { fulfilmentStatus: "waiting_for_signin" });
  });
}

/** Puts the account's step in doubt, so that it adopts an account that was created for this order since. */
async function doubtAccount({ db }: Context, { id, family }: Order): Promise<void> {
  for (const step of families[family].tellsVendor.tenantName)
    await insertStep(db, { orderId: id, step, requestId: newId() });
}
