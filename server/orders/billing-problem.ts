/** Checks an order's billing details again before payment: an address saved earlier may break a newer rule. */
import type { AccountAnswers } from "#db/orders/order.ts";
import { isSellersNumber } from "#server/accounts/gst-lookup.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { problemsOf } from "./account-rules.ts";
import type { SellersByCountry } from "./supply.ts";

export interface BillingProblem {
  /** The invalid field. */
  field: string;
  /** A sentence. */
  says: MessageDescriptor;
}

/** Returns the first problem of billing details by the rules of Create Account; null when they are valid. */
export function billingProblem(sellers: SellersByCountry, account: AccountAnswers): BillingProblem | null {
  const { gst_code, organisationRegistrationNumber } = account;
  if ([gst_code, organisationRegistrationNumber].some((number) => isSellersNumber(sellers, number)))
    return { field: "gst_code", says: msg("fields.ownGstin") };
  const [first] = Object.entries(problemsOf(account));
  return first === undefined ? null : { field: first[0], says: first[1] };
}

/** Requires valid billing details. @throws DomainError conflict */
export function requireBillable(sellers: SellersByCountry, account: AccountAnswers): void {
  const problem = billingProblem(sellers, account);
  if (problem !== null) throw new DomainError("conflict", msg("refusals.billing", { problem: problem.says }));
}
