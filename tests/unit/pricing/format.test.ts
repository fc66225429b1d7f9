import { describe, expect, it } from "vitest";
import { formatMoney } from "#server/pricing/format.ts";
import { money } from "#server/pricing/money.ts";

describe("formatMoney", () => {
  it.each([
    [money(12_385_100, "INR"), "₹1,23,851"],
    [money(695_520, "INR"), "₹6,955.20"],
    [money(-20, "INR"), "-₹0.20"],
    [money(123_456_700, "USD"), "$1,234,567"],
    [money(1_205, "USD"), "$12.05"],
  ])("%j reads %s", (amount, text) => expect(formatMoney(amount)).toBe(text));
});
