/** Settings of a country's payment methods, and their validation. */
import { describe, expect, it } from "vitest";
import { money } from "#db/money.ts";
import {
  ceilingOf,
  checkoutChoicesFor,
  instantMethodsFor,
  isMethodEnabled,
  methodsBelow,
  methodsIn,
  otherMethodsFor,
} from "#server/catalogue/pricing/payment-methods.ts";
import { readPaymentSettings } from "#server/platform/settings/payments.ts";

const read = (values: Record<string, string>, country: "IN" | "US" = "IN") =>
  readPaymentSettings((name) => values[name] ?? null, country);
const env = (values: Record<string, string>, country: "IN" | "US" = "IN") => ({
  payments: new Map([[country, read(values, country).settings]]),
});

describe("readPaymentSettings", () => {
  it("names all methods of the checkout by default, where the currency has them", () => {
    const methods = ["card", "upi", "netbanking", "wallet"];
    expect(read({})).toEqual({ settings: { methods, ceilings: {} }, problems: [] });
    expect(methodsIn(env({}), "IN")).toEqual(methods);
    expect(methodsIn(env({}, "US"), "US")).toEqual(["card"]);
  });

  it.each([
    [{ PAYMENT_METHODS_IN: "card,cheque" }, "PAYMENT_METHODS_IN: must be of card, upi"],
    [{ PAYMENT_METHODS_IN: "," }, "PAYMENT_METHODS_IN: must name one"],
    [{ PAYMENT_CEILINGS_IN: "upi" }, "PAYMENT_CEILINGS_IN: must be a method and a whole amount"],
    [{ PAYMENT_CEILINGS_IN: "upi:1.5" }, "PAYMENT_CEILINGS_IN: must be a method and a whole amount"],
    [{ PAYMENT_CEILINGS_IN: "cheque:5" }, "PAYMENT_CEILINGS_IN: must be of card, upi"],
  ])("refuses %j", (values, problem) => {
    expect(read(values).problems).toEqual([expect.stringContaining(problem)]);
  });
});

describe("a country's choice of methods", () => {
  const all = "transfer,link,wallet,netbanking,upi,card";

  it("lists those that its currency has", () => {
    expect(methodsIn(env({ PAYMENT_METHODS_IN: all }), "IN")).toEqual([
      "card",
      "upi",
      "netbanking",
      "wallet",
      "link",
      "transfer",
    ]);
    const usa = env({ PAYMENT_METHODS_US: all }, "US");
    expect(methodsIn(usa, "US")).toEqual(["card", "link"]);
    expect(isMethodEnabled(usa, "US", "transfer")).toBe(false);
  });

  it("uses the published ceilings by default", () => {
    const published = env({ PAYMENT_METHODS_IN: all });
    expect(ceilingOf(published, "IN", "upi")).toEqual(money(100_000_00, "INR"));
    expect(ceilingOf(published, "IN", "transfer")).toBeNull();
    expect(ceilingOf(env({ PAYMENT_CEILINGS_IN: "upi:200000" }), "IN", "upi")).toEqual(
      money(200_000_00, "INR"),
    );
  });

  it("serves amounts up to the ceiling, inclusive", () => {
    const settings = env({ PAYMENT_METHODS_IN: all });
    const at = (minor: number) => instantMethodsFor(settings, "IN", money(minor, "INR"));
    expect(at(10_000_00)).toEqual(["card", "upi", "netbanking", "wallet"]);
    expect(at(10_000_01)).toEqual(["card", "upi", "netbanking"]);
    expect(at(100_000_01)).toEqual(["card", "netbanking"]);
    expect(at(500_000_00)).toEqual(["card", "netbanking"]);
    expect(at(500_000_01)).toEqual([]);
  });

  it("offers two checkout choices, cards and all others, without those above a ceiling", () => {
    const at = (minor: number, methods = all) =>
      checkoutChoicesFor(env({ PAYMENT_METHODS_IN: methods }), "IN", money(minor, "INR"));
    expect(at(10_000_00)).toEqual([["card"], ["upi", "netbanking", "wallet"]]);
    expect(at(100_000_01)).toEqual([["card"], ["netbanking"]]);
    expect(at(100_000_01, "card,upi")).toEqual([["card"]]);
    expect(at(10_000_00, "upi,wallet")).toEqual([["upi", "wallet"]]);
    expect(at(500_000_01)).toEqual([]);
    expect(methodsBelow(env({ PAYMENT_METHODS_IN: all }), "IN", money(100_000_01, "INR"))).toEqual([
      { method: "upi", most: money(100_000_00, "INR") },
      { method: "wallet", most: money(10_000_00, "INR") },
    ]);
  });

  it("serves amounts up to the ceiling outside the checkout too", () => {
    const at = (minor: number, methods = all) =>
      otherMethodsFor(env({ PAYMENT_METHODS_IN: methods }), "IN", money(minor, "INR"));
    expect(at(500_000_00)).toEqual(["link", "transfer"]);
    expect(at(500_000_01)).toEqual(["transfer"]);
    expect(at(100_00, "card")).toEqual([]);
  });
});
