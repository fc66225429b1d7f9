/**
 * Whose a tenant is. Its name proves nothing, and the partner link is one for all: before an order goes into a tenant that exists,
 * the company it belongs to has shown that it administers that tenant. What this store made for a company is the company's.
 */
import { type Claim, findControlProof, insertControlProof, isHeldByAnother } from "#db/control-proofs.ts";
import type { UserId } from "#db/ids.ts";
import type { ControlMethod, FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { findTenantRow } from "#db/tenants.ts";
import { record } from "#server/accounts/audit.ts";
import { DomainError } from "#server/errors.ts";
import type { Order } from "#server/orders/order.ts";
import { queueOperatorAlert } from "#server/outbox/mail.ts";
import { type EntraPerson, freshSeconds } from "#server/providers/entra.ts";

/** A proof is good for orders of a year; then the company may have changed hands. */
const proofMonths = 12;

/** Whose account is shown by a sign-in there; that of the others by a record of its domain, where it has one. */
export const provenBySignIn: Readonly<Record<FamilyId, boolean>> = {
  microsoft: true,
  google: false,
  brio: false,
};

/** Why a sign-in is no proof. */
export type SignInRefusal =
  | "personal"
  | "other-tenant"
  | "guest"
  | "not-told"
  | "not-administrator"
  | "stale";

/**
 * Whether who has signed in may say that an order goes into a tenant. Names and emails are not asked: an administrator of any
 * tenant can write any into an account.
 * @param asked.roles template ids of the roles that are enough
 */
export function judgeSignIn(
  person: EntraPerson,
  asked: { tenantId: string; roles: readonly string[]; now: Date },
): { role: string } | { refused: SignInRefusal } {
  if (person.isPersonal) return { refused: "personal" };
  if (person.tenantId !== asked.tenantId) return { refused: "other-tenant" };
  if (person.membership === "guest") return { refused: "guest" };
  if (person.membership === "unknown" || person.roles === null) return { refused: "not-told" };
  const age = asked.now.getTime() - person.authenticatedAt.getTime();
  if (age > freshSeconds * 1_000) return { refused: "stale" };
  const role = asked.roles.find((accepted) => person.roles?.includes(accepted));
  return role === undefined ? { refused: "not-administrator" } : { role };
}

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
  const tenant = tenantId === null ? null : await findTenantRow(db, tenantId);
  if (tenant === null || customerId === null) return;
  if (await isProven(db, { customerId, family, tenantExternalId: tenant.external_id }, at)) return;
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
