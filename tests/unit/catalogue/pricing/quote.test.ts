import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { money } from "#db/money.ts";
import { minimumPaymentFor } from "#server/catalogue/pricing/payment-methods.ts";
import { type CustomerType, prorate, type QuoteInput, quote } from "#server/catalogue/pricing/quote.ts";
import {
  countries,
  countryCodes,
  countryOfConsoleCode,
  currencyOf,
} from "#server/foundation/countries/registry.ts";

const regular = money(276_000, "INR");
const signup = money(193_200, "INR");

function google(quantity: number, customerType: CustomerType) {
  return quote({ quantity, unitPrice: regular, signupPrice: signup, customerType, country: "IN" });
}

describe("quote: the examples of docs/specification.md, section 9.1", () => {
  it("charges 20 users of a new signup the signup price only", () => {
    expect(google(20, "new_signup")).toEqual({
      quantity: 20,
      lines: [{ quantity: 20, unitPrice: signup, amount: money(3_864_000, "INR") }],
      unitPrice: money(0, "INR"),
      secondaryUnitPrice: signup,
      subtotal: money(3_864_000, "INR"),
      taxRateBasisPoints: 1_800,
      tax: money(695_520, "INR"),
      rounding: money(-20, "INR"),
      total: money(4_559_500, "INR"),
    });
  });

  it("charges the 21st user and on the regular price", () => {
    const priced = google(25, "new_signup");
    expect(priced.lines.map((line) => [line.quantity, line.unitPrice.minor])).toEqual([
      [20, 193_200],
      [5, 276_000],
    ]);
    expect(priced.unitPrice).toEqual(regular);
    expect(priced.secondaryUnitPrice).toEqual(signup);
    expect([priced.subtotal.minor, priced.tax.minor, priced.total.minor]).toEqual([
      5_244_000, 943_920, 6_187_900,
    ]);
  });

  it("charges a transfer the regular price, regardless of the signup price", () => {
    const priced = google(25, "transfer_token");
    expect(priced.lines).toHaveLength(1);
    expect(priced.secondaryUnitPrice).toBeNull();
    expect([priced.subtotal.minor, priced.tax.minor, priced.total.minor]).toEqual([
      6_900_000, 1_242_000, 8_142_000,
    ]);
  });
});

describe("quote", () => {
  it("adds no tax in the USA and keeps the cents", () => {
    const priced = quote({
      quantity: 3,
      unitPrice: money(1_250, "USD"),
      customerType: "standard",
      country: "US",
    });
    expect(priced.taxRateBasisPoints).toBe(0);
    expect([priced.tax.minor, priced.rounding.minor, priced.total.minor]).toEqual([0, 0, 3_750]);
  });

  it("charges the regular price to a new signup of an item that has no signup price", () => {
    const priced = quote({ quantity: 5, unitPrice: regular, customerType: "new_signup", country: "IN" });
    expect(priced.unitPrice).toEqual(regular);
    expect(priced.secondaryUnitPrice).toBeNull();
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses the quantity %s", (quantity) => {
    expect(() => google(quantity, "new_signup")).toThrow(RangeError);
  });

  it("refuses a price in another currency, a negative one and one with a fraction", () => {
    const base = { quantity: 1, customerType: "standard", country: "US" } as const;
    expect(() => quote({ ...base, unitPrice: regular })).toThrow(TypeError);
    expect(() => quote({ ...base, unitPrice: money(-1, "USD") })).toThrow(RangeError);
    expect(() => quote({ ...base, unitPrice: { minor: 0.5, currency: "USD" } })).toThrow(RangeError);
  });
});

describe("quote, for any purchase", () => {
  const inputs: fc.Arbitrary<QuoteInput> = fc
    .record({
      quantity: fc.integer({ min: 1, max: 10_000 }),
      price: fc.integer({ min: 0, max: 100_000_00 }),
      signupPrice: fc.option(fc.integer({ min: 0, max: 100_000_00 })),
      customerType: fc.constantFrom<CustomerType[]>("new_signup", "transfer_token", "standard"),
      country: fc.constantFrom<("IN" | "US")[]>("IN", "US"),
    })
    .map(({ price, signupPrice, ...rest }) => ({
      ...rest,
      unitPrice: money(price, currencyOf(rest.country)),
      signupPrice: signupPrice === null ? null : money(signupPrice, currencyOf(rest.country)),
    }));

  it("sums lines to the subtotal, and subtotal, tax and rounding to the total", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { lines, subtotal, tax, rounding, total, quantity } = quote(input);
        expect(lines.reduce((sum, line) => sum + line.quantity, 0)).toBe(quantity);
        for (const line of lines) expect(line.amount.minor).toBe(line.quantity * line.unitPrice.minor);
        expect(lines.reduce((sum, line) => sum + line.amount.minor, 0)).toBe(subtotal.minor);
        expect(subtotal.minor + tax.minor + rounding.minor).toBe(total.minor);
        if (input.country === "IN") expect(total.minor % 100).toBe(0);
        expect(Math.abs(rounding.minor)).toBeLessThanOrEqual(input.country === "IN" ? 50 : 0);
        expect([subtotal, tax, rounding, total].every(({ minor }) => Number.isSafeInteger(minor))).toBe(true);
      }),
    );
  });

  it("taxes as exact arithmetic does", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const { subtotal, tax, taxRateBasisPoints } = quote(input);
        const exact = (BigInt(subtotal.minor) * BigInt(taxRateBasisPoints) * 2n + 10_000n) / 20_000n;
        expect(BigInt(tax.minor)).toBe(exact);
      }),
    );
  });

  it("splits a new signup at 20 and nothing else", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const priced = quote(input);
        const signupApplies = input.customerType === "new_signup" && Boolean(input.signupPrice);
        const cheap = signupApplies ? Math.min(20, input.quantity) : 0;
        const expected =
          cheap * (input.signupPrice?.minor ?? 0) + (input.quantity - cheap) * input.unitPrice.minor;
        expect(priced.subtotal.minor).toBe(expected);
        expect(priced.unitPrice.minor).toBe(
          signupApplies && input.quantity <= 20 ? 0 : input.unitPrice.minor,
        );
        expect(priced.secondaryUnitPrice).toEqual(signupApplies ? input.signupPrice : null);
      }),
    );
  });

  it("costs no less for one more user", () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const more = quote({ ...input, quantity: input.quantity + 1 });
        expect(more.total.minor).toBeGreaterThanOrEqual(quote(input).total.minor);
      }),
    );
  });
});

describe("minimumPaymentFor", () => {
  it.each([
    ["IN", 99, 100],
    ["IN", 100, null],
    ["US", 0, 50],
    ["US", 49, 50],
    ["US", 50, null],
  ] as const)("%s, %i minor units: returns %s", (country, total, least) => {
    expect(minimumPaymentFor(money(total, currencyOf(country)))?.minor ?? null).toBe(least);
  });
});

describe("prorate", () => {
  it("rounds half up to a minor unit", () => {
    expect(prorate(regular, 112, 365)).toEqual(money(84_690, "INR"));
    expect(prorate(money(1, "INR"), 1, 2)).toEqual(money(1, "INR"));
    expect(prorate(regular, 0, 365).minor).toBe(0);
    expect(prorate(regular, 365, 365)).toEqual(regular);
  });

  it("differs from the exact share by half a minor unit at most", () => {
    const days = fc.integer({ min: 0, max: 366 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000_000 }),
        days,
        fc.integer({ min: 1, max: 366 }),
        (price, left, term) => {
          const share = prorate(money(price, "INR"), left, term).minor;
          const doubledError = 2n * (BigInt(share) * BigInt(term) - BigInt(price) * BigInt(left));
          expect(doubledError <= BigInt(term) && doubledError > -BigInt(term)).toBe(true);
          expect(prorate(money(price, "INR"), left + 1, term).minor).toBeGreaterThanOrEqual(share);
        },
      ),
    );
  });

  it("refuses impossible days", () => {
    expect(() => prorate(regular, -1, 365)).toThrow(RangeError);
    expect(() => prorate(regular, 1, 0)).toThrow(RangeError);
  });
});

describe("countryOfConsoleCode", () => {
  it("inverts the console code of each country", () => {
    for (const code of countryCodes) expect(countryOfConsoleCode(countries[code].console)).toBe(code);
    expect(countryOfConsoleCode("toString")).toBeNull();
  });
});
