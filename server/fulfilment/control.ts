/**
 * Whose a tenant is. Its name proves nothing, and the partner link is one for all: before an order goes into a tenant that exists,
 * the company it belongs to has shown that it administers that tenant. What this store made for a company is the company's.
 */
import { type Claim, findControlProof, insertControlProof, isHeldByAnother } from "#db/control-proofs.ts";
import type { UserId } from "#db/ids.ts";
import type { Order } from "#db/order.ts";
import type { ControlMethod } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { findTenant } from "#db/tenants.ts";
import { record } from "#server/accounts/audit.ts";
import { DomainError } from "#server/errors.ts";
import { queueOperatorAlert } from "#server/outbox/mail.ts";

/** A proof is good for orders of a year; then the company may have changed hands. */
const proofMonths = 12;

/** True when the company has shown that it controls the tenant, and not too long ago. */
export async function isProven(db: Db, claim: Claim, at: Date): Promise<boolean> {
  return (await findControlProof(db, claim, at)) !== null;
}

/**
 * For an order into a tenant that the company has: before it is paid for, and asked anew when the proof is too old. One whose
 * wait for a proof would come after the payment is a NEW order, which has no tenant yet.
 * @throws DomainError conflict, saying who must confirm it
 */
export async function requireProven(db: Db, order: Order, at: Date): Promise<void> {
  const { customerId, family, tenantId } = order;
  const tenant = tenantId === null ? null : await findTenant(db, tenantId);
  if (tenant === null || customerId === null) return;
  if (await isProven(db, { customerId, family, tenantExternalId: tenant.externalId }, at)) return;
  throw new DomainError(
    "conflict",
    `Before you pay, an administrator of ${tenant.domain} must confirm this order. Nothing has been charged.`,
  );
}

/** Writes a proof down, for the order it was given for. */
export async function recordProof(
  trx: Trx,
  claim: Claim,
  proof: {
    method: ControlMethod;
    order: Pick<Order, "id">;
    /** Who signed in, and with which role; nobody does for the other methods. */
    person?: { subject: string; role: string };
    authenticatedAt: Date;
    /** Who was signed in here, if anybody. */
    by: UserId | null;
  },
): Promise<void> {
  const { method, order, person, authenticatedAt, by } = proof;
  const expiresAt = new Date(authenticatedAt);
  expiresAt.setUTCMonth(expiresAt.getUTCMonth() + proofMonths);
  await insertControlProof(trx, claim, {
    method,
    order_id: order.id,
    subject: person?.subject ?? null,
    role: person?.role ?? null,
    authenticated_at: authenticatedAt,
    expires_at: method === "made" ? null : expiresAt,
  });
  await record(trx, {
    userId: by,
    action: "control.prove",
    subject: `customer:${claim.customerId}`,
    data: {
      order: order.id,
      family: claim.family,
      tenant: claim.tenantExternalId,
      method,
      ...person,
    },
  });
}

/** Said to a company that controls a tenant which another has here; who that is, is not said. */
export const heldElsewhere =
  "We cannot add this order to that account by ourselves. Our team has been told and will write to you. Meanwhile you can choose another account.";

/** True when another company has the tenant here; the operator then hears of it, once. */
export async function isTakenElsewhere(trx: Trx, claim: Claim, order: Pick<Order, "id">): Promise<boolean> {
  if (!(await isHeldByAnother(trx, claim))) return false;
  const { customerId, family, tenantExternalId } = claim;
  await queueOperatorAlert(trx, {
    dedupeKey: `tenant-held:${family}:${tenantExternalId}:${customerId}`,
    orderId: order.id,
    what: `The company ${customerId} has shown that it controls the ${family} tenant ${tenantExternalId}, which another company holds here. Its order was not carried out: please find out whose the tenant is.`,
  });
  return true;
}
