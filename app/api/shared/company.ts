/** Finds the company that a call names, for its members only. */
import { type CustomerId, parseId } from "#db/ids.ts";
import { type Membership, requireMember } from "#server/accounts/customers.ts";
import { notFound } from "#server/foundation/errors.ts";
import type { SignedInContext } from "./endpoint.ts";

/** @throws DomainError not_found for an invalid id, an unknown company, or a company the account is not a member of */
export async function companyFor({ context, session }: SignedInContext, id: string): Promise<Membership> {
  const customerId = parseId<CustomerId>(id);
  if (customerId === null) throw notFound("company");
  return requireMember(context.db, session.userId, customerId);
}
