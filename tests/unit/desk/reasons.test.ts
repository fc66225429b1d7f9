/** Reasons of work items: one readable sentence, with the provider's full text kept separately. */
import { describe, expect, test } from "vitest";
import { workItemKinds } from "#db/desk/work-queue.ts";
import { reasonFor } from "#server/desk/reasons.ts";

describe("a reason", () => {
  test.each([
    [
      "stopped-order",
      'microsoft refused POST /v1/customers (400, 2080): {"code":"2080","description":"PostalCode"}',
      "Microsoft refused the order.",
    ],
    [
      "stopped-order",
      "microsoft refused POST /v1/customers (401, invalid_grant)",
      "Microsoft refused the order: no one has consented, or the partner's token or secret has expired, was revoked or has the wrong audience.",
    ],
    ["stopped-order", "google failed for now at GET /customers/x (503)", "Google didn't complete the order."],
    [
      "stopped-order",
      "google refused POST /customers (412, no_such_code): Domain is taken.",
      "Google refused the order: Domain is taken.",
    ],
    [
      "refund",
      "razorpay refused POST /v1/payments/pay_1/refund (400, BAD_REQUEST_ERROR): The card's account is closed.",
      "Razorpay refused the refund: the card's account is closed.",
    ],
    ["refund", "the card is closed", "The refund failed: the card is closed."],
    [
      "document",
      "3028: GSTIN is not present",
      "The e-invoice portal rejected the document: GSTIN is not present.",
    ],
    ["dispute", "fraud", "The buyer's bank disputes the payment: fraud."],
    ["difference", "The invoice says 12, the payment 13.", "The invoice says 12, the payment 13."],
    ["stopped-order", null, "The order stopped."],
  ] as const)("explains %s in one sentence: %s", (kind, what, sentence) => {
    expect(reasonFor(kind, what).sentence).toBe(sentence);
  });

  test.each(workItemKinds)("keeps the stored text of %s", (kind) => {
    for (const text of [
      'microsoft refused POST /v1/x (400, 2080): {"code":"2080"}',
      "900278: the tenant cannot be made",
      "Error: Order 1 needs attention first",
      "still running",
      `long ${"word ".repeat(60)}`.trim(),
    ]) {
      const { sentence, raw } = reasonFor(kind, text);
      expect(sentence.length).toBeLessThanOrEqual(raw === null ? 400 : 260);
      expect(`${sentence} ${raw ?? ""}`).toContain(text);
      if (raw !== null) expect(sentence).not.toMatch(/https?:|[{}]/);
    }
  });
});
