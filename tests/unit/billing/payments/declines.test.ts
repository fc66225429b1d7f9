/** Reasons of failed payments for buyers: equal from the server and from checkout.js, in each language. */
import { describe, expect, test } from "vitest";
import { declineTexts, whyDeclined } from "#server/billing/payments/razorpay/declines.ts";
import { languageIds } from "#server/foundation/languages/language.ts";
import { translate } from "#server/foundation/languages/text.ts";

const failed = (errorReason?: string, errorDescription?: string) =>
  whyDeclined({ status: "failed", errorReason, errorDescription });

describe.each(languageIds)("in %s", (language) => {
  const { known, other } = declineTexts(language);

  test("translates each known reason with one sentence of the store", () => {
    const reasons = known.flatMap((each) => each.reasons);
    expect(new Set(reasons).size).toBe(reasons.length);
    expect(reasons).toEqual(
      expect.arrayContaining(["payment_failed", "insufficient_funds", "incorrect_otp"]),
    );
    for (const { said, reasons: each } of known)
      for (const reason of each) expect(translate(language, failed(reason, "English") ?? "")).toBe(said);
  });

  test("shows Razorpay's text for an unknown reason in English only", () => {
    expect(translate(language, failed("new_reason", "The moon was full.") ?? "")).toBe(
      other ?? "The moon was full.",
    );
    expect(translate(language, failed(undefined, "The moon was full.") ?? "")).toBe(
      other ?? "The moon was full.",
    );
    expect(other === null).toBe(language === "en");
    expect(translate(language, failed() ?? "")).toBe(
      other ?? "The bank didn't give a reason. Try another card or payment method, or contact your bank.",
    );
  });
});

test("returns undefined for a payment that did not fail", () => {
  expect(
    whyDeclined({ status: "captured", errorReason: undefined, errorDescription: undefined }),
  ).toBeUndefined();
});
