/** Customers, their members' access, and their saved addresses. */
import * as rows from "#db/accounts/customers.ts";
import { type AddressId, type CustomerId, newId, type UserId } from "#db/ids.ts";
import type { Country, MemberRole } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { memberRoles, rolesThatMay } from "./roles.ts";

/** A company as one of its members sees it. */
export interface Membership extends rows.Customer {
  role: MemberRole;
}

/** Roles that may order, pay and renew. */
export const buyingRoles = rolesThatMay("order");

export async function createCustomer(
  trx: Trx,
  input: { name: string; country: Country; ownerId: UserId },
): Promise<CustomerId> {
  const id = newId<CustomerId>();
  await rows.insertCustomer(trx, { id, name: input.name.trim(), country: input.country });
  await rows.upsertMember(trx, { customerId: id, userId: input.ownerId, role: "owner" });
  await recordAudit(trx, { userId: input.ownerId, action: "customer.create", subject: `customer:${id}` });
  return id;
}

/** Adds a member, or changes an existing member's role. @param by the user who makes the change; `null` for the system */
export async function addMember(
  trx: Trx,
  input: { customerId: CustomerId; userId: UserId; role: MemberRole; by: UserId | null },
): Promise<void> {
  const { customerId, userId, role, by } = input;
  await rows.upsertMember(trx, { customerId, userId, role });
  await recordAudit(trx, {
    userId: by,
    action: "member.set",
    subject: `customer:${customerId}`,
    data: { member: userId, role },
  });
}

/** Reads a company for internal use; a user's access goes through requireMember. */
export async function findCustomer(db: Db, id: CustomerId): Promise<rows.Customer | null> {
  return (await rows.selectCustomer(db, id)) ?? null;
}

/** Lists a user's companies, in the order of joining. */
export function listMemberships(db: Db, userId: UserId): Promise<Membership[]> {
  return rows.selectMemberships(db, userId);
}

/** Returns the membership; `null` when the user does not belong to the company. */
export async function findMembership(
  db: Db,
  userId: UserId,
  customerId: CustomerId,
): Promise<Membership | null> {
  return (await rows.selectMembership(db, userId, customerId)) ?? null;
}

/**
 * Checks access to everything that belongs to a company.
 * @param roles the accepted roles; all of them by default
 * @throws DomainError not_found when the user is not a member, so that strangers learn nothing
 * @throws DomainError forbidden when a member's role does not allow it
 */
export async function requireMember(
  db: Db,
  userId: UserId,
  customerId: CustomerId,
  roles: readonly MemberRole[] = memberRoles,
): Promise<Membership> {
  const membership = await findMembership(db, userId, customerId);
  if (membership === null) throw notFound("company");
  if (!roles.includes(membership.role)) {
    const allowed = roles.includes("buyer") ? "members.buyersOnly" : "members.ownersOnly";
    throw new DomainError("forbidden", msg(allowed, { company: membership.name }));
  }
  return membership;
}

/**
 * Reads the company that a user acts for, inside the transaction that depends on it. Since the request's session was read, the
 * user may have left it, changed role or, in another tab, founded their first.
 * @param user.customer the company of the session
 * @returns null for a user without a company
 * @throws DomainError not_found when the session's company is no longer theirs
 */
export async function currentMembership(
  trx: Trx,
  { userId, customer }: { userId: UserId; customer: { id: CustomerId } | null },
): Promise<Membership | null> {
  if (customer !== null) return requireMember(trx, userId, customer.id);
  const [first = null] = await listMemberships(trx, userId);
  return first;
}

/** Saves an address. An identical one is not saved twice, for example when a buyer goes back a step and continues. */
export async function addAddress(
  trx: Trx,
  customerId: CustomerId,
  fields: rows.AddressFields,
): Promise<rows.Address> {
  const saved = (await listAddresses(trx, customerId)).find((address) => isSameAddress(address, fields));
  if (saved !== undefined) return saved;
  const id = newId<AddressId>();
  await rows.insertAddress(trx, customerId, { id, ...fields });
  return getAddress(trx, customerId, id);
}

/** Lists the default address first, then the others, newest first. */
export async function listAddresses(db: Db, customerId: CustomerId): Promise<rows.Address[]> {
  return rows.selectAddresses(db, customerId);
}

/** @throws DomainError not_found when the company has no such address, even if another company has it */
export async function getAddress(db: Db, customerId: CustomerId, id: AddressId): Promise<rows.Address> {
  const address = await rows.selectAddress(db, customerId, id);
  if (address === null) throw notFound("address");
  return address;
}

function isSameAddress(saved: rows.Address, fields: rows.AddressFields): boolean {
  return (
    saved.gstCode === fields.gstCode &&
    saved.addressLine1 === fields.addressLine1 &&
    saved.addressLine2 === fields.addressLine2 &&
    saved.city === fields.city &&
    saved.state === fields.state &&
    saved.pincode === fields.pincode &&
    saved.country === fields.country &&
    saved.organisationRegistrationNumber === fields.organisationRegistrationNumber &&
    saved.email === fields.email &&
    saved.firstName === fields.firstName &&
    saved.lastName === fields.lastName &&
    saved.phone === fields.phone
  );
}
