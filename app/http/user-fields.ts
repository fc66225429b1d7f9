/**
 * The logged-in user under the names of docs/specification.md, section 3, for the login call and for the mirror in the browser's
 * storage.
 */
import type { SessionUser } from "#server/accounts/sessions.ts";

/** As the login call answers it. */
export function userFields(user: SessionUser) {
  return {
    id: user.userId,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    // Empty before the first order: the field is a text wherever it is kept.
    customerId: user.customer?.id ?? "",
    phone: user.phone,
    role: user.role,
  };
}

/** As local storage keeps it (docs/decisions/sessions.md): everything but the token. */
export function storedFields(user: SessionUser) {
  return {
    userId: user.userId,
    user: user.email,
    firstname: user.firstName,
    lastname: user.lastName,
    customerId: user.customer?.id ?? "",
    phone: user.phone,
    role: user.role,
  };
}
