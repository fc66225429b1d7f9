/**
 * The signed-in user with the field names of docs/specification.md, section 3, for the login call and for the mirror in the
 * browser's storage.
 */
import type { SessionUser } from "#server/accounts/sessions.ts";

/** The login call's reply. */
export function userFields(user: SessionUser) {
  return {
    id: user.userId,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    // Empty before the first order, because the field is a string everywhere.
    customerId: user.customer?.id ?? "",
    phone: user.phone,
    role: user.role,
  };
}

/** The copy in local storage (docs/decisions/security.md#sessions): everything but the token. */
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
