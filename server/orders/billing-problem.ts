/** Checks an order's billing details again before the payment: an address saved earlier may break a rule of today. */
import type { AccountAnswers } from "#db/order.ts";
import { isSellersNumber } from "#server/accounts/gst-lookup.ts";
import { type MessageDescriptor, msg } from "#server/languages/text.ts";
import { problemsOf } from "./account-rules.ts";
import type { SellersByCountry } from "./supply.ts";

/** The first rule of Create Account that billing details break, as a sentence; `null` when they break none. */
export function billingProblem(sellers: SellersByCountry, account: AccountAnswers): MessageDescriptor | null {
  const { gst_code, organisationRegistrationNumber } = account;
  if ([gst_code, organisationRegistrationNumber].some((number) => isSellersNumber(sellers, number)))
    return msg("fields.ownGstin");
  const [problem] = Object.values(problemsOf(account));
  return problem ?? null;
}
