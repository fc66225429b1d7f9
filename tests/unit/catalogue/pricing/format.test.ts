import { describe, expect, it } from "vitest";
import { money } from "#db/money.ts";
import { formatMoney, formatShort } from "#server/catalogue/pricing/format.ts";

describe("formatMoney", () => {
  it.each([
    [money(12_385_100, "INR"), "₹1,23,851"],
    [money(695_520, "INR"), "₹6,955.20"],
    [money(-20, "INR"), "-₹0.20"],
    [money(4_559_500, "INR"), "₹45,595"],
    // Dollar bills show cents, even zero cents.
    [money(123_456_700, "USD"), "$1,234,567.00"],
    [money(3_000, "USD"), "$30.00"],
    [money(1_205, "USD"), "$12.05"],
  ])("formats %j as %s", (amount, text) => expect(formatMoney(amount)).toBe(text));
});

describe("formatShort", () => {
  it.each([
    [money(14_871_600, "INR"), "en", "₹1.49L"],
    [money(6_900_000, "INR"), "en", "₹69K"],
    [money(14_871_600, "INR"), "hi", "₹1.49\u00a0लाख"],
    [money(14_871_600, "USD"), "en", "$149K"],
  ] as const)("shows %j in %s as %s", (amount, language, text) =>
    expect(formatShort(amount, language)).toBe(text),
  );
});
