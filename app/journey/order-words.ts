/** An order's columns in the words that buyers read, the same in every list. */

import type { Order } from "#db/order.ts";
import type { BillingCycle, FulfilmentStatus, OrderKind, Term } from "#db/tables/enums.ts";
import type { Text } from "#server/languages/messages.ts";

export const orderTypeWords: Record<OrderKind, string> = {
  NEW: "New subscription",
  TUP: "Added subscription",
  ADDON: "Add-on",
  ADD: "More licences",
  RENEW: "Renewal",
};

const fulfilmentWords: Record<FulfilmentStatus, string> = {
  not_due: "Being set up",
  waiting_for_signin: "Needs sign-in details",
  queued: "Being set up",
  running: "Being set up",
  done: "Done",
  needs_attention: "We are looking after it",
};

/** The status of a paid order. */
export function statusWords({ paymentStatus, fulfilmentStatus }: Order): string {
  return paymentStatus === "refunded" ? "Refunded" : fulfilmentWords[fulfilmentStatus];
}

/** "112 of 365 days". After an early renewal, more days can be left than the term has. */
export function daysWords(
  { daysLeft, daysInTerm }: { daysLeft: number; daysInTerm: number },
  text: Text,
): string {
  return daysLeft > daysInTerm
    ? text("orders.daysWithNext", { left: daysLeft })
    : text("orders.daysOf", { left: daysLeft, all: daysInTerm });
}

/** "One Year, billed monthly". */
export function planWords({ term, billingCycle }: { term: Term; billingCycle: BillingCycle }): string {
  const commitment = term === "P1Y" ? "One Year" : "One Month";
  return `${commitment}, billed ${billingCycle === "annual" ? "annually" : "monthly"}`;
}
