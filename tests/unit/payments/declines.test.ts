/** Why a payment failed, for its buyer: the same from the server as from checkout.js, in each language. */
import { describe, expect, test } from "vitest";
import { languageIds } from "#server/languages/language.ts";
import { tell } from "#server/languages/text.ts";
import { declineWords, whyDeclined } from "#server/payments/razorpay/declines.ts";

const failed = (errorReason?: string, errorDescription?: string) =>
  whyDeclined({ status: "failed", errorReason, errorDescription });

describe.each(languageIds)("in %s", (language) => {
  const { known, other } = declineWords(language);

  test("a reason has one sentence, of our own", () => {
    const reasons = known.flatMap((each) => each.reasons);
    expect(new Set(reasons).size).toBe(reasons.length);
    expect(reasons).toEqual(
      expect.arrayContaining(["payment_failed", "insufficient_funds", "incorrect_otp"]),
    );
    for (const { said, reasons: each } of known)
      for (const reason of each) expect(tell(language, failed(reason, "English") ?? "")).toBe(said);
  });

  test("another reason is told in Razorpay's words to who reads English alone", () => {
    expect(tell(language, failed("new_reason", "The moon was full.") ?? "")).toBe(
      other ?? "The moon was full.",
    );
    expect(tell(language, failed(undefined, "The moon was full.") ?? "")).toBe(other ?? "The moon was full.");
    expect(other === null).toBe(language === "en");
    expect(tell(language, failed() ?? "")).toBe(other ?? "We were not told why.");
  });
});

test("what did not fail has no reason", () => {
  expect(
    whyDeclined({ status: "captured", errorReason: undefined, errorDescription: undefined }),
  ).toBeUndefined();
});
