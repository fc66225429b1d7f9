/**
 * Companies that require a second factor of all members. A member without one signs in as before, but cannot open anything of the
 * company until they have set one up.
 */

import { lockCustomer, selectMembers } from "#db/accounts/members.ts";
import * as rows from "#db/accounts/second-factors.ts";
import type { CustomerId, UserId } from "#db/ids.ts";
import type { Db, Trx } from "#db/tables/index.ts";
import { recordAudit } from "#server/foundation/audit.ts";
import { DomainError, notFound } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { notifyOwner } from "./account-notifications.ts";
import { requireMember } from "./customers.ts";
import { hasSecondFactor } from "./second-factor.ts";

/** @throws DomainError not_found when there is no such company */
export async function readRequiredFactor(db: Db, customerId: CustomerId): Promise<rows.RequiredFactor> {
  const required = await rows.selectRequiredFactor(db, customerId);
  if (required === null) throw notFound("company");
  return required;
}

/** Returns the name of one of the user's companies that requires one; `null` when none does. */
export function requiringCompany(db: Db, userId: UserId): Promise<string | null> {
  return rows.selectRequiringCompany(db, userId);
}

/**
 * Turns the requirement on or off, and mails all members.
 * @throws DomainError forbidden unless an owner asks; conflict when the owner has no second factor
 */
export async function setRequiredOfMembers(
  trx: Trx,
  { customerId, by, isRequired }: { customerId: CustomerId; by: UserId; isRequired: boolean },
): Promise<void> {
  await lockCustomer(trx, customerId);
  const { name: company } = await requireMember(trx, by, customerId, ["owner"]);
  if (isRequired && !(await hasSecondFactor(trx, by)))
    throw new DomainError("conflict", msg("twoStep.ownerFirst"));
  if (!(await rows.updateRequiredFactor(trx, customerId, isRequired))) return;
  await recordAudit(trx, {
    userId: by,
    action: "customer.require-second-factor",
    subject: `customer:${customerId}`,
    data: { isRequired },
  });
  const what = isRequired ? "second-factor-required" : "second-factor-optional";
  for (const member of await selectMembers(trx, customerId))
    await notifyOwner(trx, member, { what, company });
}
