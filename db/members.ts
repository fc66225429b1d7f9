/** Queries on a company's members and invitations. No rules live here. */
import { type Insertable, sql } from "kysely";
import type { CustomerId, InviteId, UserId } from "./ids.ts";
import type { MemberInvitesTable } from "./tables/accounts.ts";
import type { MemberRole } from "./tables/enums.ts";
import type { Db, Trx } from "./tables/index.ts";

/** Locks the company's row, so that concurrent changes to its members run one after the other. */
export async function lockCustomer(trx: Trx, id: CustomerId): Promise<void> {
  await trx.selectFrom("customers").select("id").where("id", "=", id).forUpdate().execute();
}

export interface MemberRow {
  user_id: UserId;
  email: string;
  first_name: string;
  last_name: string;
  role: MemberRole;
}

/** Sorted by the time of joining. */
export function selectMembers(db: Db, customerId: CustomerId): Promise<MemberRow[]> {
  return db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["members.user_id", "users.email", "users.first_name", "users.last_name", "members.role"])
    .where("members.customer_id", "=", customerId)
    .orderBy("members.created_at")
    .orderBy("members.user_id")
    .execute();
}

/** A company's owners who can still sign in, sorted by the time of joining. */
export function selectOwners(db: Db, customerId: CustomerId): Promise<{ user_id: UserId; email: string }[]> {
  return db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select(["members.user_id", "users.email"])
    .where("members.customer_id", "=", customerId)
    .where("members.role", "=", "owner")
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

/** The companies in which the user was the first member. */
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
): Promise<{ user_id: UserId; email: string }[]> {
  return trx
    .deleteFrom("members")
    .using("users")
    .whereRef("users.id", "=", "members.user_id")
    .where("members.customer_id", "=", customerId)
    .where("members.user_id", "<>", userId)
    .returning(["members.user_id", "users.email"])
    .execute();
}

const openInvites = (db: Db) =>
  db
    .selectFrom("member_invites")
    .innerJoin("customers", "customers.id", "member_invites.customer_id")
    .leftJoin("users", "users.id", "member_invites.invited_by")
    .select([
      "member_invites.id",
      "member_invites.customer_id",
      "member_invites.email",
      "member_invites.role",
      "member_invites.invited_by",
      "member_invites.expires_at",
      "customers.name as company",
      "users.first_name as inviter_first_name",
      "users.last_name as inviter_last_name",
      "users.email as inviter_email",
    ])
    .where("member_invites.accepted_at", "is", null)
    .where("member_invites.withdrawn_at", "is", null);

/** An invitation that is neither answered, withdrawn nor expired at `now`. */
export function selectOpenInvite(db: Db, id: InviteId, now: Date) {
  return openInvites(db)
    .where("member_invites.id", "=", id)
    .where("member_invites.expires_at", ">", now)
    .executeTakeFirst();
}
export type OpenInviteRow = NonNullable<Awaited<ReturnType<typeof selectOpenInvite>>>;

/** Newest first. */
export function selectOpenInvites(db: Db, customerId: CustomerId, now: Date): Promise<OpenInviteRow[]> {
  return openInvites(db)
    .where("member_invites.customer_id", "=", customerId)
    .where("member_invites.expires_at", ">", now)
    .orderBy("member_invites.created_at", "desc")
    .limit(100)
    .execute();
}

/** Creates an invitation, or renews the open one for this email. @returns its id */
export async function saveInvite(trx: Trx, invite: Insertable<MemberInvitesTable>): Promise<InviteId> {
  const { role, invited_by, expires_at } = invite;
  const renewed = await trx
    .updateTable("member_invites")
    .set({ role, invited_by, expires_at })
    .where("customer_id", "=", invite.customer_id)
    .where(sql<string>`lower(email)`, "=", sql<string>`lower(${invite.email})`)
    .where("accepted_at", "is", null)
    .where("withdrawn_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (renewed !== undefined) return renewed.id;
  await trx.insertInto("member_invites").values(invite).execute();
  return invite.id;
}

/** @returns false when it was already answered or withdrawn */
export async function closeInvite(
  trx: Trx,
  by: { id: InviteId; customerId: CustomerId },
  as: { accepted_at: Date } | { withdrawn_at: Date },
): Promise<boolean> {
  const result = await trx
    .updateTable("member_invites")
    .set(as)
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

/** The invitation of a token that is still usable at `now`. */
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
export async function spendInviteToken(trx: Trx, hash: string, now: Date): Promise<InviteId | null> {
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
