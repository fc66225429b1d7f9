/** A company's members, and the changes that an owner may make to them. A company always has an owner. */

import { upsertMember } from "#db/accounts/customers.ts";
import { deleteMember, lockCustomer, type StoredMember, selectMembers } from "#db/accounts/members.ts";
import type { CustomerId, UserId } from "#db/ids.ts";
import type { MemberRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { fullName } from "#server/foundation/placeholders.ts";
import { notifyOwner } from "./account-notifications.ts";
import { type Membership, requireMember } from "./customers.ts";
import { requireVerifiedEmail } from "./email-verification.ts";
import { rolesThatMay } from "./roles.ts";

export interface Member {
  userId: UserId;
  /** First and last name. */
  name: string;
  email: string;
  role: MemberRole;
}

export const ownerRequiredMessage = msg("members.ownerNeeded");

/** Lists the members in the order in which they joined. The caller must check that the requester may see them. */
export async function listMembers(db: Db, customerId: CustomerId): Promise<Member[]> {
  return (await selectMembers(db, customerId)).map(({ userId, email, role, ...name }) => ({
    userId,
    name: fullName(name),
    email,
    role,
  }));
}

interface Change {
  customerId: CustomerId;
  /** Member to change. */
  userId: UserId;
  /** User who makes the change: an owner with a proven mailbox. */
  by: UserId;
}

/**
 * Changes a member's role.
 * @throws DomainError forbidden unless an owner with a proven mailbox asks; not_found when the user is not a member;
 * conflict for the last owner
 */
export async function changeRole(trx: Trx, change: Change & { role: MemberRole }): Promise<void> {
  const { customerId, userId, by, role } = change;
  const { company, members, member } = await lockMembers(trx, change);
  if (member.role === role) return;
  if (role !== "owner") requireAnotherOwner(members, member);
  await upsertMember(trx, { customerId, userId, role });
  await recordAudit(trx, {
    userId: by,
    action: "member.set",
    subject: `customer:${customerId}`,
    data: { member: userId, role },
  });
  await notifyOwner(
    trx,
    { userId, email: member.email },
    { what: "role-changed", company: company.name, role },
  );
}

/**
 * Removes a member from the company. The account and its orders stay.
 * @throws DomainError as changeRole
 */
export async function removeMember(trx: Trx, change: Change): Promise<void> {
  const { customerId, userId, by } = change;
  const { company, members, member } = await lockMembers(trx, change);
  requireAnotherOwner(members, member);
  await deleteMember(trx, customerId, userId);
  await recordAudit(trx, {
    userId: by,
    action: "member.remove",
    subject: `customer:${customerId}`,
    data: { member: userId },
  });
  await notifyOwner(trx, { userId, email: member.email }, { what: "member-removed", company: company.name });
}

/** Locks the company, so that when two owners demote each other, the second is no longer an owner and is refused. */
async function lockMembers(
  trx: Trx,
  { customerId, userId, by }: Change,
): Promise<{ company: Membership; members: StoredMember[]; member: StoredMember }> {
  await lockCustomer(trx, customerId);
  const company = await requireMember(trx, by, customerId, rolesThatMay("manage"));
  await requireVerifiedEmail(trx, by);
  const members = await selectMembers(trx, customerId);
  const member = members.find((each) => each.userId === userId);
  if (member === undefined) throw notFound("member");
  return { company, members, member };
}

function requireAnotherOwner(members: readonly StoredMember[], member: StoredMember): void {
  const others = members.filter(({ role, userId }) => role === "owner" && userId !== member.userId);
  if (others.length === 0) throw new DomainError("conflict", ownerRequiredMessage);
}
