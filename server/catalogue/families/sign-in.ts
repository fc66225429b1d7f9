/** Shared code of the families' sign-in steps. */
import { DomainError } from "#server/foundation/errors.ts";
import { msg } from "#server/foundation/languages/text.ts";

/** Pattern of a new account's username. */
export const usernamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** Refuses answers that belong to another family's sign-in step, or to another variant of this family's. */
export function notThisOrders(): DomainError {
  return new DomainError("bad_request", msg("families.otherStep"));
}
