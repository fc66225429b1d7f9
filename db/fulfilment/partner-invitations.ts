/** Queries on partner invitations: orders that wait for an existing tenant to accept us as its partner. */
import { type Selectable, sql } from "kysely";
import type { InvitationId, OrderId } from "#db/ids.ts";
import type { InvitationStatus } from "#db/tables/enums.ts";
import type { InvitationsTable } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface PartnerInvitation {
  id: InvitationId;
  orderId: OrderId;
  username: string;
  domain: string;
  tenantExternalId: string | null;
  status: InvitationStatus;
  /** Approval link. We request it from the provider only once. */
  link: string | null;
  createdAt: Date;
  checkedAt: Date | null;
  expiresAt: Date;
  /** The last time a person acted on the invitation; null if none has since it was created. */
  watchedFrom: Date | null;
}

function toInvitation(row: Selectable<InvitationsTable>): PartnerInvitation {
  const { id, username, domain, status, link } = row;
  return {
    id,
    orderId: row.order_id,
    username,
    domain,
    tenantExternalId: row.tenant_external_id,
    status,
    link,
    createdAt: row.created_at,
    checkedAt: row.checked_at,
    expiresAt: row.expires_at,
    watchedFrom: row.watched_from,
  };
}

export async function findPartnerInvitation(db: Db, id: InvitationId): Promise<PartnerInvitation | null> {
  const row = await db.selectFrom("invitations").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : toInvitation(row);
}

/** Finds an invitation and locks it until the transaction ends. */
export async function lockInvitation(trx: Trx, id: InvitationId): Promise<PartnerInvitation | null> {
  const row = await trx
    .selectFrom("invitations")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : toInvitation(row);
}

/** Finds the latest invitation of an order, of any status. */
export async function findLatestInvitation(db: Db, orderId: OrderId): Promise<PartnerInvitation | null> {
  const row = await db
    .selectFrom("invitations")
    .selectAll()
    .where("order_id", "=", orderId)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toInvitation(row);
}

/** Finds the tenant that accepted us for this order; null when none has. */
export async function findAcceptedTenant(db: Db, orderId: OrderId): Promise<string | null> {
  const row = await db
    .selectFrom("invitations")
    .select("tenant_external_id")
    .where("order_id", "=", orderId)
    .where("status", "=", "accepted")
    .executeTakeFirst();
  return row?.tenant_external_id ?? null;
}

/** Inserts an invitation; a pending one of the order times out. */
export async function insertInvitation(
  trx: Trx,
  invitation: Pick<
    PartnerInvitation,
    "id" | "orderId" | "username" | "domain" | "tenantExternalId" | "link" | "createdAt" | "expiresAt"
  >,
): Promise<void> {
  const { id, orderId, username, domain, tenantExternalId, link, createdAt, expiresAt } = invitation;
  await updateInvitationStatus(trx, orderId, { from: "pending", to: "timed_out" });
  await trx
    .insertInto("invitations")
    .values({
      id,
      order_id: orderId,
      username,
      domain,
      tenant_external_id: tenantExternalId,
      status: "pending",
      link,
      created_at: createdAt,
      expires_at: expiresAt,
    })
    .execute();
}

/** Changes the status of those of an order's invitations that have the status `from`. */
export async function updateInvitationStatus(
  trx: Trx,
  orderId: OrderId,
  { from, to }: { from: InvitationStatus; to: InvitationStatus },
): Promise<void> {
  await trx
    .updateTable("invitations")
    .set({ status: to })
    .where("order_id", "=", orderId)
    .where("status", "=", from)
    .execute();
}

export async function extendInvitation(
  trx: Trx,
  id: InvitationId,
  { watchedFrom, expiresAt }: { watchedFrom: Date; expiresAt: Date },
): Promise<void> {
  await trx
    .updateTable("invitations")
    .set({ watched_from: watchedFrom, expires_at: expiresAt })
    .where("id", "=", id)
    .execute();
}

/**
 * Records the result of checking a pending invitation.
 * @param found.checked whether the provider was asked
 * @returns false when it is no longer pending, or its deadline was extended in the meantime
 */
export async function settleInvitation(
  trx: Trx,
  id: InvitationId,
  { status, checked, now }: { status: InvitationStatus; checked: boolean; now: Date },
): Promise<boolean> {
  let change = trx
    .updateTable("invitations")
    .set({
      status,
      ...(checked && { checked_at: now }),
      ...(status === "accepted" && { accepted_at: now }),
    })
    .where("id", "=", id)
    .where("status", "=", "pending");
  if (status === "timed_out") change = change.where("expires_at", "<=", now);
  const result = await change.executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Finds the address that the latest link about this domain was mailed to; null when none was. */
export async function findRequestedAdministrator(
  db: Db,
  orderId: OrderId,
  domain: string,
): Promise<string | null> {
  const mail = await db
    .selectFrom("mails")
    .select("recipient")
    .where("order_id", "=", orderId)
    .where("kind", "=", "ask-administrator")
    // Mails from an earlier version do not record the domain.
    .where(sql`coalesce(data ->> 'domain', ${domain})`, "=", domain)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return mail?.recipient ?? null;
}
