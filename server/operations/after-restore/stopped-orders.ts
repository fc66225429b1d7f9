/**
 * Orders that were under way at the moment of a restore. Any of them may have been carried out since, and would be bought again: each is
 * stopped, and goes on once its vendor has shown what it has.
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

/** Stops each of them, so that no worker takes it further. @returns how many */
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

/** done = it was carried out, and is; again = it was not, and is on its way; waits = its buyer has still to sign in; person = somebody has to look. */
export type VendorFollowUp = { order: Order } & (
  | { outcome: "done" | "requeued" | "waits" }
  | { outcome: "needs-attention"; because: string }
);

/** Asks the vendor of each stopped order what it has, and lets the order go on from there. Repeatable: what needs a person is looked at again. */
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

/** The account may have been made for this order since: a call that is in doubt takes the one that is there. */
async function doubtAccount({ db }: Context, { id, family }: Order): Promise<void> {
  for (const step of families[family].tellsVendor.tenantName)
    await insertStep(db, { orderId: id, step, requestId: newId() });
}
