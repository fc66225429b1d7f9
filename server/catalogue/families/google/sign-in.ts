/**
 * The Google sign-in step: the administrator of a new customer, or the transfer token of one that moves from another reseller.
 */
import type { SignInRules } from "../family.ts";
import { notThisOrders } from "../sign-in.ts";

export const signIn: SignInRules = {
  async check(_context, { details }, { answers, secret }) {
    const expected = details.google?.customerType === "transfer_token" ? "google-transfer" : "google-new";
    if (answers.mode !== expected || secret === undefined) throw notThisOrders();
    return null;
  },
};
