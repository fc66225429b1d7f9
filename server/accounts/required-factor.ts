/**
 * A company that requires a second factor of everybody who belongs to it. Whoever has none signs in as before, and nothing of the
 * company opens to them until they have set one up.
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

/** The name of a company of the user's that requires one. `null` when none does. */
export function requiringCompany(db: Db, userId: UserId): Promise<string | null> {
  return rows.selectRequiringCompany(db, userId);
}

/**
 * Requires a second factor, or no longer, and tells all members.
 * @throws DomainError forbidden unless an owner asks; conflict when the owner has none
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
