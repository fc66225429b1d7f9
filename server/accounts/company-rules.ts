/**
 * An owner's rules for the company's orders: the amount above which they need an approver's consent, and how much each buyer may
 * order.
 */
import * as rows from "#db/accounts/company-rules.ts";
import { lockCustomer, selectMembers } from "#db/accounts/members.ts";
import type { CustomerId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { notFound } from "#server/foundation/errors.ts";
import { requireMember } from "./customers.ts";
import { rolesThatMay } from "./roles.ts";

export type { BuyerLimit, CompanyRules } from "#db/accounts/company-rules.ts";

/** Reads the rules. The caller must check that the requester may see them. */
export function readCompanyRules(db: Db, customerId: CustomerId): Promise<rows.CompanyRules> {
  return rows.readCompanyRules(db, customerId);
}

/** Lists the limits of members who have one. The caller must check that the requester may see them. */
export function listBuyerLimits(db: Db, customerId: CustomerId): Promise<Map<UserId, rows.BuyerLimit>> {
  return rows.listBuyerLimits(db, customerId);
}

interface By {
  customerId: CustomerId;
  by: UserId;
}

/** Locks the company, as every check against its rules does. @throws DomainError forbidden unless an owner asks */
export async function setCompanyRules(
  trx: Trx,
  { customerId, by }: By,
  rules: rows.CompanyRules,
): Promise<void> {
  await lockCustomer(trx, customerId);
  await requireMember(trx, by, customerId, rolesThatMay("manage"));
  await rows.saveCompanyRules(trx, customerId, rules);
  await recordAudit(trx, {
    userId: by,
    action: "company.rules",
    subject: `customer:${customerId}`,
    data: { approvalAbove: rules.approvalAboveMinor, includesOwners: rules.includesOwners },
  });
}

/** @throws DomainError forbidden unless an owner asks; not_found when the user is not a member */
export async function setBuyerLimit(
  trx: Trx,
  { customerId, by, userId }: By & { userId: UserId },
  limit: rows.BuyerLimit,
): Promise<void> {
  await lockCustomer(trx, customerId);
  await requireMember(trx, by, customerId, rolesThatMay("manage"));
  const members = await selectMembers(trx, customerId);
  if (!members.some((member) => member.userId === userId)) throw notFound("member");
  await rows.saveBuyerLimit(trx, { customerId, userId }, limit);
  await recordAudit(trx, {
    userId: by,
    action: "member.limit",
    subject: `customer:${customerId}`,
    data: { member: userId, perOrder: limit.perOrderMinor, perMonth: limit.perMonthMinor },
  });
}
