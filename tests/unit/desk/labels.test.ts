/** Desk's labels for the state of an order, without the terms of the database. */
import { expect, test } from "vitest";
import type { FulfilmentStatus, PaymentStatus, Stage } from "#db/tables/enums.ts";
import { orderStateText } from "#server/desk/labels.ts";

test.each<[Stage, PaymentStatus, FulfilmentStatus, string]>([
  ["stage1", "none", "not_due", "Plan chosen, not paid"],
  ["stage2", "pending", "not_due", "Account entered, in checkout"],
  ["stage2", "failed", "not_due", "Account entered, payment failed"],
  ["stage3", "completed", "waiting_for_signin", "Paid, waiting for the buyer's sign-in details"],
  ["stage3", "completed", "needs_attention", "Paid, stopped, needs attention"],
  ["stage4", "completed", "done", "Paid, fulfilled"],
  ["stage4", "partly_refunded", "done", "Partially refunded, fulfilled"],
  ["stage4", "lost", "done", "Lost in dispute, fulfilled"],
])("labels %s, %s, %s", (stage, paymentStatus, fulfilmentStatus, words) => {
  expect(orderStateText({ stage, paymentStatus, fulfilmentStatus })).toBe(words);
});

test("mentions an expected transfer instead of the checkout", () => {
  const order = { stage: "stage2", paymentStatus: "pending", fulfilmentStatus: "not_due" } as const;
  expect(orderStateText({ ...order, awaitsTransfer: true })).toBe(
    "Account entered, waits for a bank transfer",
  );
});
