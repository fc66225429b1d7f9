/** What the desk calls where an order stands: words of a person, and none of the database's. */
import { expect, test } from "vitest";
import type { FulfilmentStatus, PaymentStatus, Stage } from "#db/tables/enums.ts";
import { orderStateWords } from "#server/desk/words.ts";

test.each<[Stage, PaymentStatus, FulfilmentStatus, string]>([
  ["stage1", "none", "not_due", "Plan chosen, not paid"],
  ["stage2", "pending", "not_due", "Buyer known, at the checkout"],
  ["stage2", "failed", "not_due", "Buyer known, payment failed"],
  ["stage3", "completed", "waiting_for_signin", "Paid, waits for the buyer's sign-in details"],
  ["stage3", "completed", "needs_attention", "Paid, stopped, waits for a person"],
  ["stage4", "completed", "done", "Paid, carried out"],
  ["stage4", "partly_refunded", "done", "Refunded in part, carried out"],
  ["stage4", "lost", "done", "Money lost in a dispute, carried out"],
])("%s, %s, %s", (stage, paymentStatus, fulfilmentStatus, words) => {
  expect(orderStateWords({ stage, paymentStatus, fulfilmentStatus })).toBe(words);
});
