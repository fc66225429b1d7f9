/**
 * Partner approval for a tenant the buyer already has: the provider's link is generic, so acceptance is found by looking
 * the tenant up (DESIGN ruling 19). A job looks every few seconds for ten minutes; browsers only ever ask us.
 */
import { type InvitationId, newId, type OrderId } from "#db/ids.ts";
import type { InvitationRow } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import type { Context } from "#server/context.ts";
import { addJob } from "#server/jobs/queue.ts";
import { lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/life.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { queueFulfilment } from "./queue.ts";

/** Asks of one order are answered from the row when the provider was asked less than this ago. */
const throttleMs = 2_000;

/** The latest invitation of an order, whatever became of it. */
export async function findInvitation(db: Db, orderId: OrderId): Promise<InvitationRow | null> {
  const row = await db
    .selectFrom("invitations")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The tenant that approved us for this order, or null. */
export async function acceptedTenant(db: Db, orderId: OrderId): Promise<string | null> {
  const row = await db
    .selectFrom("invitations")
    .select("tenant_external_id")
    .where("order_id", "=", orderId)
    .where("status", "=", "accepted")
    .executeTakeFirst();
  return row?.tenant_external_id ?? null;
}

/** Begins waiting for approval, in place of any wait of this order before. */
export async function beginInvitation(
  context: Pick<Context, "env">,
  trx: Trx,
  input: { orderId: OrderId; username: string; tenantId: string; link: string; now: Date },
): Promise<void> {
  const id = newId<InvitationId>();
  await trx
    .updateTable("invitations")
    .set({ status: "timed_out" })
    .where("order_id", "=", input.orderId)
    .where("status", "=", "pending")
    .execute();
  await trx
    .insertInto("invitations")
    .values({
      id,
      order_id: input.orderId,
      username: input.username,
      domain: input.username.split("@")[1] ?? "",
      tenant_external_id: input.tenantId,
      status: "pending",
      link: input.link,
      created_at: input.now,
      expires_at: new Date(input.now.getTime() + context.env.INVITATION_TIMEOUT_MS),
    })
    .execute();
  await addJob(trx, "check-invitation", { invitationId: id }, { jobKey: `invitation:${id}` });
}

/** The job: looks once, and looks again soon while the buyer may still approve. */
export async function watchInvitation(context: Context, invitationId: InvitationId): Promise<void> {
  const status = await checkInvitation(context, invitationId);
  if (status !== "pending") return;
  const runAt = new Date(Date.now() + context.env.INVITATION_POLL_MS);
  await context.db
    .transaction()
    .execute((trx) =>
      addJob(trx, "check-invitation", { invitationId }, { jobKey: `invitation:${invitationId}`, runAt }),
    );
}

/**
 * Looks the tenant up. Accepted: the order's fulfilment is queued in the same transaction. Past ten minutes: timed out,
 * and the buyer may answer the step again.
 */
export async function checkInvitation(
  context: Context,
  invitationId: InvitationId,
): Promise<InvitationRow["status"] | "gone"> {
  const { db } = context;
  const invitation = await db
    .selectFrom("invitations")
    .selectAll()
    .where("id", "=", invitationId)
    .executeTakeFirst();
  if (invitation === undefined) return "gone";
  if (invitation.status !== "pending" || invitation.tenant_external_id === null) return invitation.status;
  const now = new Date();
  if (
    invitation.checked_at !== null &&
    now.getTime() - invitation.checked_at.getTime() < Math.min(throttleMs, context.env.INVITATION_POLL_MS / 2)
  ) {
    return invitation.status;
  }
  const accepted = await isAccepted(context, invitation.tenant_external_id);
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, invitation.order_id);
    const status = accepted ? "accepted" : now >= invitation.expires_at ? "timed_out" : "pending";
    const result = await trx
      .updateTable("invitations")
      .set({ status, checked_at: now, ...(accepted && { accepted_at: now }) })
      .where("id", "=", invitationId)
      .where("status", "=", "pending")
      .executeTakeFirst();
    if (result.numUpdatedRows !== 1n || status === "pending") return status;
    if (status === "accepted" && order.fulfilmentStatus === "waiting_for_signin") {
      await moveOrder(trx, order, { fulfilment_status: "queued" });
      await queueFulfilment(trx, order.id);
    }
    return status;
  });
}

async function isAccepted(context: Context, tenantId: string): Promise<boolean> {
  try {
    return (await context.partnerCenter.getRelationship(tenantId)) === "reseller";
  } catch (error) {
    // The next look is seconds away, and the ten minutes go on meanwhile.
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "the tenant could not be looked up");
    return false;
  }
}
