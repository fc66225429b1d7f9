/** Checks an order's billing details again before the payment: an address saved earlier may break a rule of today. */
import type { AccountAnswers } from "#db/orders/order.ts";
import { isSellersNumber } from "#server/accounts/gst-lookup.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { problemsOf } from "./account-rules.ts";
import type { SellersByCountry } from "./supply.ts";

export interface BillingProblem {
  /** The field that breaks the rule. */
  field: string;
  /** A sentence. */
  says: MessageDescriptor;
}

/** The first rule of Create Account that billing details break; `null` when they break none. */
export function billingProblem(sellers: SellersByCountry, account: AccountAnswers): BillingProblem | null {
  const { gst_code, organisationRegistrationNumber } = account;
  if ([gst_code, organisationRegistrationNumber].some((number) => isSellersNumber(sellers, number)))
    return { field: "gst_code", says: msg("fields.ownGstin") };
  const [first] = Object.entries(problemsOf(account));
  return first === undefined ? null : { field: first[0], says: first[1] };
}

/** @throws DomainError conflict for billing details that break a rule */
export function requireBillable(sellers: SellersByCountry, account: AccountAnswers): void {
  const problem = billingProblem(sellers, account);
  if (problem !== null) throw new DomainError("conflict", msg("refusals.billing", { problem: problem.says }));
}
