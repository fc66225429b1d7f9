/**
 * Control proofs of tenants. A tenant's name proves nothing, and the partner link is the same for everybody, so a company must
 * prove that it administers an existing tenant before an order goes into it. A tenant that this store created for a company
 * needs no further proof.
 */

import { findTenant } from "#db/accounts/tenants.ts";
import {
  findControlProof,
  insertControlProof,
  isTenantOwnedByAnother,
  type ProofEvidence,
  type TenantClaim,
} from "#db/fulfilment/control-proofs.ts";
import type { StaffId, UserId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import type { ControlMethod } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";

/** A proof is valid for a year; after that, the company may have changed hands. */
const proofMonths = 12;

/** Whether the company has a valid proof that it controls the tenant. */
export async function hasControlProof(db: Db, claim: TenantClaim, at: Date): Promise<boolean> {
  return (await findControlProof(db, claim, at)) !== null;
}

/**
 * Requires a valid proof before payment of an order into one of the company's tenants. A NEW order is exempt: it has no tenant
 * yet and waits for its proof after the payment.
 * @throws DomainError conflict that says who must confirm it
 */
export async function requireControlProof(db: Db, order: Order, at: Date): Promise<void> {
  const { customerId, family, tenantId } = order;
  const tenant = tenantId === null ? null : await findTenant(db, tenantId);
  if (tenant === null || customerId === null) return;
  if (await hasControlProof(db, { customerId, family, tenantExternalId: tenant.externalId }, at)) return;
  throw new DomainError("conflict", msg("families.mustConfirm", { domain: tenant.domain }));
}

export async function recordControlProof(
  trx: Trx,
  claim: TenantClaim,
  proof: {
    method: ControlMethod;
    /** Null for a proof that staff recorded. */
    order: Pick<Order, "id"> | null;
    /** Evidence that staff recorded; undefined for the other methods. */
    seen?: ProofEvidence & { staffId: StaffId | undefined };
    /** The person who signed in, and their role; undefined for the other methods. */
    person?: { subject: string; role: string };
    authenticatedAt: Date;
    /** The user who was logged in here, if any. */
    by: UserId | null;
  },
): Promise<void> {
  const { method, order, person, authenticatedAt, by, seen } = proof;
  const expiresAt = new Date(authenticatedAt);
  expiresAt.setUTCMonth(expiresAt.getUTCMonth() + proofMonths);
  await insertControlProof(trx, claim, {
    method,
    orderId: order?.id ?? null,
    subject: person?.subject ?? null,
    role: person?.role ?? null,
    authenticatedAt,
    expiresAt: method === "made" ? null : expiresAt,
    ...(seen !== undefined && { seen }),
  });
  await recordAudit(trx, {
    userId: by,
    staffId: seen?.staffId,
    action: "control.prove",
    subject: `customer:${claim.customerId}`,
    data: {
      order: order?.id ?? null,
      family: claim.family,
      tenant: claim.tenantExternalId,
      method,
      ...person,
      ...(seen !== undefined && { reason: seen.evidence, reference: seen.reference, by: seen.by }),
    },
  });
}

/** Message for a company that controls a tenant linked to another company here. It must not reveal the other company. */
export const tenantTakenMessage = msg("families.heldElsewhere");

/** Whether the tenant is linked to another company here; alerts the operator once. */
export async function isTakenElsewhere(
  trx: Trx,
  claim: TenantClaim,
  order: Pick<Order, "id">,
): Promise<boolean> {
  if (!(await isTenantOwnedByAnother(trx, claim))) return false;
  const { customerId, family, tenantExternalId } = claim;
  await queueOperatorAlert(trx, {
    dedupeKey: `tenant-held:${family}:${tenantExternalId}:${customerId}`,
    orderId: order.id,
    what: `The company ${customerId} has proved that it controls the ${family} tenant ${tenantExternalId}, which is linked to another company here. Its order is on hold. Find out who owns the tenant.`,
  });
  return true;
}
