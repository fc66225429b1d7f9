/** What the families' sign-in steps share. */
import { DomainError } from "#server/errors.ts";

/** Answers of another family's step, or of another way through this one's. */
export function notThisOrders(): DomainError {
  return new DomainError("bad_request", "These sign-in details do not fit this order.");
}
