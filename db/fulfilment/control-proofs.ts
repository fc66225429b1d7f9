/** Queries on control of tenants: a company's proofs, other holders of the tenant, and an order's DNS challenge. */
import { sql } from "kysely";
import { type ControlProofId, type CustomerId, newId, type OrderId } from "#db/ids.ts";
import type { ControlMethod, FamilyId } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** A company's claim to a tenant. */
export interface TenantClaim {
  customerId: CustomerId;
  family: FamilyId;
  /** Microsoft: the tenant GUID. Google: the Cloud Channel customer name. */
  tenantExternalId: string;
}

export interface ControlProof {
  method: ControlMethod;
  /** The order that the proof was given for. */
  orderId: OrderId | null;
  /** The signer's object id in that tenant, and the role's template id. */
  subject: string | null;
  role: string | null;
  authenticatedAt: Date;
  /** Null for a tenant that this store made, whose proof does not expire. */
  expiresAt: Date | null;
  /** Evidence that staff recorded; only for proofs that staff entered. */
  seen?: ProofEvidence;
}

export interface ProofEvidence {
  evidence: string;
  reference: string;
  by: string;
}

/** Case-insensitive: Microsoft writes its ids in either case. */
const isSameTenant = (column: "tenant_external_id" | "external_id", id: string) =>
  sql<boolean>`lower(${sql.ref(column)}) = lower(${id})`;

export async function insertControlProof(
  trx: Trx,
  { customerId, family, tenantExternalId }: TenantClaim,
  proof: ControlProof,
): Promise<void> {
  await trx
    .insertInto("control_proofs")
    .values({
      id: newId<ControlProofId>(),
      customer_id: customerId,
      family,
      tenant_external_id: tenantExternalId,
      method: proof.method,
      order_id: proof.orderId,
      subject: proof.subject,
      role: proof.role,
      authenticated_at: proof.authenticatedAt,
      expires_at: proof.expiresAt,
      ...(proof.seen !== undefined && {
        evidence: proof.seen.evidence,
        reference: proof.seen.reference,
        bound_by: proof.seen.by,
      }),
    })
    .execute();
}

/** Finds the method of the valid proof that expires last; null when none is valid at the given time. */
export async function findControlProof(
  db: Db,
  { customerId, family, tenantExternalId }: TenantClaim,
  at: Date,
): Promise<Pick<ControlProof, "method"> | null> {
  const row = await db
    .selectFrom("control_proofs")
    .select("method")
    .where("customer_id", "=", customerId)
    .where("family", "=", family)
    .where(isSameTenant("tenant_external_id", tenantExternalId))
    .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", at)]))
    .orderBy(sql`expires_at desc nulls first`)
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether another company holds the tenant. */
export async function isTenantOwnedByAnother(
  db: Db,
  { customerId, family, tenantExternalId }: TenantClaim,
): Promise<boolean> {
  const row = await db
    .selectFrom("tenants")
    .select("id")
    .where("family", "=", family)
    .where(isSameTenant("external_id", tenantExternalId))
    .where("customer_id", "<>", customerId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether another company has proved control of the tenant, even if it does not hold it yet. */
export async function isProvenByAnother(
  db: Db,
  { customerId, family, tenantExternalId }: TenantClaim,
  at: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom("control_proofs")
    .select("id")
    .where("family", "=", family)
    .where(isSameTenant("tenant_external_id", tenantExternalId))
    .where("customer_id", "<>", customerId)
    .where(({ eb, or }) => or([eb("expires_at", "is", null), eb("expires_at", ">", at)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds the tenant's id as the company's own row spells it; null when the company does not hold the tenant. */
export async function findOwnTenantId(
  db: Db,
  { customerId, family, tenantExternalId }: TenantClaim,
): Promise<string | null> {
  const row = await db
    .selectFrom("tenants")
    .select("external_id")
    .where("family", "=", family)
    .where(isSameTenant("external_id", tenantExternalId))
    .where("customer_id", "=", customerId)
    .limit(1)
    .executeTakeFirst();
  return row?.external_id ?? null;
}

/** Locks the tenant's name until the transaction ends, so that two companies cannot both register as its holder. */
export async function lockTenantName(
  trx: Trx,
  { family, tenantExternalId }: Pick<TenantClaim, "family" | "tenantExternalId">,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`tenant:${family}:${tenantExternalId.toLowerCase()}`}, 0))`.execute(
    trx,
  );
}

/** Finds an order's DNS challenge; null when there is none or it has expired. */
export async function findDomainChallenge(
  db: Db,
  orderId: OrderId,
  at: Date,
): Promise<{ domain: string; value: string } | null> {
  const row = await db
    .selectFrom("domain_challenges")
    .select(["domain", "value"])
    .where("order_id", "=", orderId)
    .where("expires_at", ">", at)
    .executeTakeFirst();
  return row ?? null;
}

/** Saves a challenge; replaces only an expired one, so the first of two concurrent callers wins. */
export async function saveDomainChallenge(
  db: Db,
  challenge: { orderId: OrderId; domain: string; value: string; expiresAt: Date },
  at: Date,
): Promise<void> {
  const { orderId, domain, value, expiresAt } = challenge;
  await db
    .insertInto("domain_challenges")
    .values({ order_id: orderId, domain, value, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict
        .column("order_id")
        .doUpdateSet({ domain, value, expires_at: expiresAt })
        .where("domain_challenges.expires_at", "<=", at),
    )
    .execute();
}
