/** Queries on a company's members and invitations. No rules live here. */
import { sql } from "kysely";
import type { CustomerId, InviteId, UserId } from "#db/ids.ts";
import type { MemberRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** Locks the company's row, so that changes to its members happen one at a time. */
export async function lockCustomer(trx: Trx, id: CustomerId): Promise<void> {
  await trx.selectFrom("customers").select("id").where("id", "=", id).forUpdate().execute();
}

export interface StoredMember {
  userId: UserId;
  email: string;
  firstName: string;
  lastName: string;
  role: MemberRole;
}

/** Lists members by the time of joining. */
export function selectMembers(db: Db, customerId: CustomerId): Promise<StoredMember[]> {
  return db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["members.user_id as userId", "users.email", "members.role"])
    .select(["users.first_name as firstName", "users.last_name as lastName"])
    .where("members.customer_id", "=", customerId)
    .orderBy("members.created_at")
    .orderBy("members.user_id")
    .execute();
}

/** Lists a company's owners who can still sign in, by the time of joining. */
export function selectOwners(db: Db, customerId: CustomerId): Promise<MailRecipient[]> {
  return selectWithRoles(db, customerId, ["owner"]);
}

/** Recipient of a mail. */
export type MailRecipient = Pick<StoredMember, "userId" | "email">;

/** Lists members with one of these roles who can still sign in, by the time of joining. */
export function selectWithRoles(
  db: Db,
  customerId: CustomerId,
  roles: readonly MemberRole[],
): Promise<MailRecipient[]> {
  return db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["members.user_id as userId", "users.email"])
    .where("members.customer_id", "=", customerId)
    .where("members.role", "in", roles)
    .where("users.disabled_at", "is", null)
    .orderBy("members.created_at")
    .orderBy("members.user_id")
    .execute();
}

export async function deleteMember(trx: Trx, customerId: CustomerId, userId: UserId): Promise<void> {
  await trx
    .deleteFrom("members")
    .where("customer_id", "=", customerId)
    .where("user_id", "=", userId)
    .execute();
}

/** Lists the companies in which the user was the first member. */
export async function selectFoundedCompanies(db: Db, userId: UserId): Promise<CustomerId[]> {
  const founded = await db
    .selectFrom("members")
    .select("customer_id")
    .where("user_id", "=", userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("members as earlier")
            .select("earlier.user_id")
            .whereRef("earlier.customer_id", "=", "members.customer_id")
            .whereRef("earlier.created_at", "<", "members.created_at"),
        ),
      ),
    )
    .orderBy("customer_id")
    .execute();
  return founded.map(({ customer_id }) => customer_id);
}

/** Removes all other members from a company. @returns those removed */
export async function deleteOtherMembers(
  trx: Trx,
  customerId: CustomerId,
  userId: UserId,
): Promise<Pick<StoredMember, "userId" | "email">[]> {
  return trx
    .deleteFrom("members")
    .using("users")
    .whereRef("users.id", "=", "members.user_id")
    .where("members.customer_id", "=", customerId)
    .where("members.user_id", "<>", userId)
    .returning(["members.user_id as userId", "users.email"])
    .execute();
}

/** An invitation that is neither answered, withdrawn nor expired. */
export interface OpenInvite {
  id: InviteId;
  customerId: CustomerId;
  company: string;
  email: string;
  role: MemberRole;
  /** Null when that account was deleted, as are its name and email. */
  invitedBy: UserId | null;
  inviterFirstName: string | null;
  inviterLastName: string | null;
  inviterEmail: string | null;
  expiresAt: Date;
}

const openInvites = (db: Db) =>
  db
    .selectFrom("member_invites")
    .innerJoin("customers", "customers.id", "member_invites.customer_id")
    .leftJoin("users", "users.id", "member_invites.invited_by")
    .select([
      "member_invites.id",
      "member_invites.customer_id as customerId",
      "member_invites.email",
      "member_invites.role",
      "member_invites.invited_by as invitedBy",
      "member_invites.expires_at as expiresAt",
      "customers.name as company",
      "users.first_name as inviterFirstName",
      "users.last_name as inviterLastName",
      "users.email as inviterEmail",
    ])
    .where("member_invites.accepted_at", "is", null)
    .where("member_invites.withdrawn_at", "is", null);

/** Returns the invitation, if it is open at `now`. */
export function selectOpenInvite(db: Db, id: InviteId, now: Date): Promise<OpenInvite | undefined> {
  return openInvites(db)
    .where("member_invites.id", "=", id)
    .where("member_invites.expires_at", ">", now)
    .executeTakeFirst();
}

/** Lists open invitations, newest first. */
export function selectOpenInvites(db: Db, customerId: CustomerId, now: Date): Promise<OpenInvite[]> {
  return openInvites(db)
    .where("member_invites.customer_id", "=", customerId)
    .where("member_invites.expires_at", ">", now)
    .orderBy("member_invites.created_at", "desc")
    .limit(100)
    .execute();
}

/** Creates an invitation, or renews the open one for this email. @returns its id */
export async function saveInvite(
  trx: Trx,
  invite: Pick<OpenInvite, "id" | "customerId" | "email" | "role" | "invitedBy" | "expiresAt">,
): Promise<InviteId> {
  const { id, customerId, email, role, invitedBy, expiresAt } = invite;
  const renewable = { role, invited_by: invitedBy, expires_at: expiresAt };
  const renewed = await trx
    .updateTable("member_invites")
    .set(renewable)
    .where("customer_id", "=", customerId)
    .where(sql<string>`lower(email)`, "=", sql<string>`lower(${email})`)
    .where("accepted_at", "is", null)
    .where("withdrawn_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (renewed !== undefined) return renewed.id;
  await trx
    .insertInto("member_invites")
    .values({ id, customer_id: customerId, email, ...renewable })
    .execute();
  return id;
}

/** @returns false when it was already answered or withdrawn */
export async function closeInvite(
  trx: Trx,
  by: { id: InviteId; customerId: CustomerId },
  as: { acceptedAt: Date } | { withdrawnAt: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable("member_invites")
    .set("acceptedAt" in as ? { accepted_at: as.acceptedAt } : { withdrawn_at: as.withdrawnAt })
    .where("id", "=", by.id)
    .where("customer_id", "=", by.customerId)
    .where("accepted_at", "is", null)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Withdraws every open invitation that a user has sent, or that leads into a company. @returns the invited emails */
export async function withdrawInvites(
  trx: Trx,
  which: { sentBy: UserId } | { into: CustomerId },
  at: Date,
): Promise<string[]> {
  const withdrawn = await trx
    .updateTable("member_invites")
    .set({ withdrawn_at: at })
    .where((eb) =>
      "sentBy" in which ? eb("invited_by", "=", which.sentBy) : eb("customer_id", "=", which.into),
    )
    .where("accepted_at", "is", null)
    .where("withdrawn_at", "is", null)
    .where("expires_at", ">", at)
    .returning("email")
    .execute();
  return withdrawn.map(({ email }) => email);
}

/** Returns the invitation of a token that is still usable at `now`. */
export async function selectInviteOfToken(db: Db, hash: string, now: Date): Promise<InviteId | null> {
  const row = await db
    .selectFrom("one_time_tokens")
    .select("invite_id")
    .where("hash", "=", hash)
    .where("purpose", "=", "member-invite")
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.invite_id ?? null;
}

/** Consumes a token. Of two concurrent callers, only one gets the invitation. */
export async function claimInviteToken(trx: Trx, hash: string, now: Date): Promise<InviteId | null> {
  const row = await trx
    .updateTable("one_time_tokens")
    .set({ used_at: now })
    .where("hash", "=", hash)
    .where("purpose", "=", "member-invite")
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returning("invite_id")
    .executeTakeFirst();
  return row?.invite_id ?? null;
}
