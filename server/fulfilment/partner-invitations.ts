/**
 * Partner approval for a tenant that the buyer already has. The provider's link is generic, so we detect acceptance by polling
 * the tenant, and it counts only for a company that has proved control of it. A job polls every few seconds at first, then less
 * and less often. Browsers only query us, never the provider.
 */
import type { TenantClaim } from "#db/fulfilment/control-proofs.ts";
import {
  extendInvitation,
  findLatestInvitation,
  findPartnerInvitation,
  insertInvitation,
  lockInvitation,
  type PartnerInvitation,
  settleInvitation,
} from "#db/fulfilment/partner-invitations.ts";
import { type InvitationId, newId, type OrderId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { InvitationStatus } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { administratorOf } from "#server/catalogue/families/registry.ts";
import { addJob } from "#server/foundation/outbox/jobs.ts";
import { forOrder } from "#server/integrations/call-attribution.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { findOrder, lockOrder } from "#server/orders/find.ts";
import { moveOrder } from "#server/orders/order-lifecycle.ts";
import type { Context } from "#server/platform/context.ts";
import { notifyRequestingBuyer } from "./administrators.ts";
import { withSignInProblem } from "./buyer-notes.ts";
import { hasControlProof, isTakenElsewhere, tenantTakenMessage } from "./control-proof.ts";
import { queueFulfilment } from "./queue.ts";

/** A check within this time of the last request to the provider is answered from the row. */
const throttleMs = 2_000;
/** The longest wait between two checks. */
const maxPollIntervalMs = 10 * 60_000;

/** Finds the latest invitation of an order, of any status. */
export function findOrderInvitation(db: Db, orderId: OrderId): Promise<PartnerInvitation | null> {
  return findLatestInvitation(db, orderId);
}

/** Begins waiting for approval; an earlier wait of this order ends. */
export async function beginInvitation(
  context: Pick<Context, "env">,
  trx: Trx,
  input: { orderId: OrderId; username: string; tenantId: string; link: string; now: Date },
): Promise<void> {
  const id = newId<InvitationId>();
  const expiresAt = new Date(input.now.getTime() + context.env.INVITATION_TIMEOUT_MS);
  await insertInvitation(trx, {
    id,
    orderId: input.orderId,
    username: input.username,
    domain: input.username.split("@")[1] ?? "",
    tenantExternalId: input.tenantId,
    link: input.link,
    createdAt: input.now,
    expiresAt,
  });
  await watchAt(trx, id);
}

/**
 * Polls often again and extends the wait to at least its initial length. Called after an action of the buyer or an
 * administrator.
 */
export async function resumeWatching(
  { env }: Pick<Context, "env">,
  trx: Trx,
  { id, expiresAt: before }: PartnerInvitation,
  now: Date,
  until = new Date(now.getTime() + env.INVITATION_TIMEOUT_MS),
): Promise<void> {
  await extendInvitation(trx, id, { watchedFrom: now, expiresAt: before > until ? before : until });
  await watchAt(trx, id);
}

function watchAt(trx: Trx, invitationId: InvitationId, at = new Date()): Promise<void> {
  const delayMs = Math.max(0, at.getTime() - Date.now());
  return addJob(trx, "check-invitation", { invitationId }, { jobKey: `invitation:${invitationId}`, delayMs });
}

/** Runs the job: checks once, and schedules the next check while the approval may still come. */
export async function watchInvitation(context: Context, invitationId: InvitationId): Promise<void> {
  const { status, again, watchedFrom } = await look(context, invitationId);
  if (status !== "pending") return;
  await context.db.transaction().execute(async (trx) => {
    const invitation = await lockInvitation(trx, invitationId);
    // An action during the check has scheduled an immediate one, which this schedule would replace with a later one.
    if (invitation?.watchedFrom?.getTime() === watchedFrom?.getTime())
      await watchAt(trx, invitationId, again);
  });
}

/**
 * Checks the tenant for a company that has proved control of it. On acceptance, the order's fulfilment is queued in the same
 * transaction. The invitation is refused when the tenant is linked to another company here, and times out at its deadline.
 * After either, the buyer may answer the step again.
 */
export async function checkInvitation(
  context: Context,
  invitationId: InvitationId,
): Promise<InvitationStatus | "gone"> {
  return (await look(context, invitationId)).status;
}

interface Looked {
  status: InvitationStatus | "gone";
  /** The time of the next check. */
  again: Date;
  /** The time of the last action, as this check read it. */
  watchedFrom: Date | null;
}

async function look(context: Context, invitationId: InvitationId): Promise<Looked> {
  const { db, env } = context;
  const invitation = await findPartnerInvitation(db, invitationId);
  const now = new Date();
  if (invitation === null) return { status: "gone", again: now, watchedFrom: null };
  const { tenantExternalId, expiresAt, checkedAt, watchedFrom, status } = invitation;
  if (status !== "pending" || tenantExternalId === null) return { status, again: now, watchedFrom };

  const order = await findOrder(db, invitation.orderId);
  const claim =
    order === null || order.customerId === null
      ? null
      : {
          customerId: order.customerId,
          family: order.family,
          tenantExternalId,
          country: order.country,
        };
  // Without a proof there is nothing to request from the provider; only the deadline is left to check.
  const proven = claim !== null && (await hasControlProof(db, claim, now));
  const again = proven ? nextLook(env.INVITATION_POLL_MS, invitation, now) : expiresAt;
  const justChecked =
    checkedAt !== null &&
    now.getTime() - checkedAt.getTime() < Math.min(throttleMs, env.INVITATION_POLL_MS / 2);
  if (proven && justChecked) return { status, again, watchedFrom };

  const accepted = proven && (await forOrder(invitation.orderId, () => isAccepted(context, claim)));
  const next = await db.transaction().execute(async (trx): Promise<InvitationStatus> => {
    const locked = await lockOrder(trx, invitation.orderId);
    const isElsewhere = accepted && claim !== null && (await isTakenElsewhere(trx, claim, locked));
    const found = isElsewhere
      ? "refused"
      : accepted
        ? "accepted"
        : now >= expiresAt
          ? "timed_out"
          : "pending";
    // Stays pending when an action has extended the wait in the meantime.
    if (!(await settleInvitation(trx, invitationId, { status: found, checked: proven, now })))
      return "pending";
    if (locked.fulfilmentStatus === "waiting_for_signin") await moveOn(trx, locked, invitation, found);
    return found;
  });
  return { status: next, again, watchedFrom };
}

/** Applies the result to the order that waits for it. */
async function moveOn(
  trx: Trx,
  order: Order,
  { domain }: PartnerInvitation,
  found: InvitationStatus,
): Promise<void> {
  if (found === "accepted") {
    await moveOrder(trx, order, { fulfilmentStatus: "queued" });
    await queueFulfilment(trx, order.id);
    await notifyRequestingBuyer(trx, order, domain);
  }
  if (found === "refused") {
    await moveOrder(trx, order, withSignInProblem(order, tenantTakenMessage));
  }
}

/**
 * Computes the back-off: the poll interval while somebody is likely to act, then a hundredth of the time since the last action.
 */
function nextLook(pollMs: number, { createdAt, watchedFrom }: PartnerInvitation, now: Date): Date {
  const sinceMs = now.getTime() - (watchedFrom ?? createdAt).getTime();
  return new Date(now.getTime() + Math.min(maxPollIntervalMs, Math.max(pollMs, sinceMs / 100)));
}

async function isAccepted(
  context: Context,
  { family, tenantExternalId: externalId, country }: TenantClaim & Pick<Order, "country">,
): Promise<boolean> {
  try {
    return (await administratorOf(family)?.hasAccepted(context, { externalId, country })) === true;
  } catch (error) {
    // The next check comes soon, and the wait continues.
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "the tenant could not be looked up");
    return false;
  }
}
