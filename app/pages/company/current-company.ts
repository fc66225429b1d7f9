/** The signed-in user's company, and their rights in it. */
import { findMembership, type Membership } from "#server/accounts/customers.ts";
import { notFound } from "#server/foundation/errors.ts";
import { type RequestContext, requireSession } from "../../http/request-context.ts";

/** @returns null for a user without a company @throws a redirect to the login */
export async function currentCompany(request: RequestContext): Promise<Membership | null> {
  const { userId, customer } = requireSession(request);
  return customer === null ? null : findMembership(request.context.db, userId, customer.id);
}

/**
 * @throws DomainError not_found without a company; a redirect to the login. The functions that only owners may call check the
 * role.
 */
export function requireOwner(request: RequestContext) {
  const { userId, customer } = requireSession(request);
  if (customer === null) throw notFound("company");
  return { customerId: customer.id, by: userId };
}
