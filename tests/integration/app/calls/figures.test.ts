/**
 * Figures of an order in API calls, and the refusal of any other figure (docs/specification.md, section 9.1;
 * docs/decisions/prices.md#price-holds).
 */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ApiClient, accountPayload, requireSuccess } from "#tests/support/api-client.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import { freshPrefix } from "#tests/support/paid-order.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context } = await startStore();

const item = "google-workspace-business-starter";
const kinds = { new_signup: "new", transfer_token: "transfer" } as const;
const consoles = { IN: "IP", US: "UP" } as const;
const priced = z.object({
  id: z.string(),
  count: z.number(),
  currency: z.string(),
  taxRate: z.number(),
  unit_price: z.number(),
  secondary_unit_price: z.number(),
  total: z.number(),
  tax_amount: z.number(),
  totalCost: z.number(),
});
const prices = z.object({
  item: z.object({
    annual_price: z.record(z.string(), z.number()),
    monthly_price: z.record(z.string(), z.number()),
  }),
});

const payload = (kind: keyof typeof kinds, country: "IN" | "US", count: number) => ({
  sku_id: item,
  item_family: "google",
  console: consoles[country],
  country,
  domain: `${kinds[kind]}${freshPrefix()}.com`,
  customer_type: kind,
  is_transfer_token_customer: kind === "transfer_token",
  count,
});

/** Recalculates docs/specification.md, section 9.1: the first 20 users of a new sign-up at the sign-up price, then the rest. */
async function expected(kind: keyof typeof kinds, country: "IN" | "US", count: number) {
  const currency = country === "IN" ? "INR" : "USD";
  const reply = await new ApiClient(stack.url).get(`/subscriptiondetails?item_id=${item}&country=${country}`);
  const { annual_price: annual } = requireSuccess(prices, reply).item;
  const regular = annual[currency] ?? Number.NaN;
  const signup = annual[`signup-${currency}`] ?? Number.NaN;
  const cheap = kind === "new_signup" ? Math.min(count, 20) : 0;
  const paise = Math.round(signup * 100) * cheap + Math.round(regular * 100) * (count - cheap);
  const taxRate = country === "IN" ? 0.18 : 0;
  const tax = Math.round((paise * Math.round(taxRate * 100)) / 100);
  return {
    count,
    currency,
    taxRate,
    unit_price: kind === "new_signup" && count <= 20 ? 0 : regular,
    secondary_unit_price: kind === "new_signup" ? signup : 0,
    total: paise / 100,
    tax_amount: tax / 100,
    // Whole rupees in India, cents in the USA.
    totalCost: country === "IN" ? Math.round((paise + tax) / 100) : (paise + tax) / 100,
  };
}

const cases = (["IN", "US"] as const).flatMap((country) =>
  (["new_signup", "transfer_token"] as const).flatMap((kind) =>
    [19, 20, 21, 25, 300].map((count) => [country, kind, count] as const),
  ),
);

test.each(cases)(
  "%s, %s, %i users: prices the order and refuses any other figure",
  async (country, kind, count) => {
    const client = new ApiClient(stack.url);
    const figures = await expected(kind, country, count);
    const sent = payload(kind, country, count);
    const before = await digestDatabase(context.db);
    for (const wrong of [
      { total: figures.total + 1 },
      { totalCost: figures.totalCost - 1 },
      { tax_amount: figures.tax_amount + 0.01 },
      { unit_price: figures.unit_price + 1 },
      { secondary_unit_price: figures.secondary_unit_price + 1 },
      { taxRate: figures.taxRate + 0.05 },
    ]) {
      const reply = await client.post("/subscriptiondetails", { ...sent, ...figures, ...wrong });
      expect([reply.status, reply.body]).toEqual([
        409,
        expect.objectContaining({
          status: "fail",
          Error: "Price has changed",
          fields: { [Object.keys(wrong)[0] ?? ""]: expect.stringContaining("now") },
        }),
      ]);
    }
    expect(await digestDatabase(context.db)).toEqual(before);
    const { id, ...answered } = requireSuccess(
      priced,
      await client.post("/subscriptiondetails", { ...sent, ...figures }),
    );
    expect(answered).toEqual(figures);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  },
);

test("matches the design's examples to the paisa", async () => {
  const figuresFor = async (kind: keyof typeof kinds, count: number) =>
    requireSuccess(
      priced,
      await new ApiClient(stack.url).post("/subscriptiondetails", payload(kind, "IN", count)),
    );
  expect(await figuresFor("new_signup", 20)).toMatchObject({
    unit_price: 0,
    secondary_unit_price: 1932,
    total: 38_640,
    tax_amount: 6_955.2,
    totalCost: 45_595,
  });
  expect(await figuresFor("new_signup", 25)).toMatchObject({
    unit_price: 2760,
    total: 52_440,
    tax_amount: 9_439.2,
    totalCost: 61_879,
  });
  expect(await figuresFor("transfer_token", 25)).toMatchObject({
    unit_price: 2760,
    secondary_unit_price: 0,
    total: 69_000,
    tax_amount: 12_420,
    totalCost: 81_420,
  });
});

describe("a refused request", () => {
  test.each([
    [301, /300/],
    [0, /greater than 0/],
    ["", /greater than 0/],
    [1.5, /greater than 0/],
    [-3, /greater than 0/],
    ["1e3", /greater than 0/],
    [[5], /greater than 0/],
  ])("names a count of %j as wrong", async (count, why) => {
    const before = await digestDatabase(context.db);
    const reply = await new ApiClient(stack.url).post("/subscriptiondetails", {
      ...payload("new_signup", "IN", 1),
      count,
    });
    expect([reply.status, reply.body]).toEqual([
      400,
      expect.objectContaining({ status: "fail", fields: { count: expect.stringMatching(why) } }),
    ]);
    expect(await digestDatabase(context.db)).toEqual(before);
  });

  test("refuses /create/order as a whole when a figure differs", async () => {
    const before = await digestDatabase(context.db);
    const sent = { ...payload("new_signup", "IN", 25), ...accountPayload(), total: 1 };
    const reply = await new ApiClient(stack.url).post("/create/order", sent);
    expect([reply.status, reply.body]).toEqual([
      409,
      expect.objectContaining({ status: "fail", Error: "Price has changed" }),
    ]);
    expect(await digestDatabase(context.db)).toEqual(before);
  });

  test("refuses to pay another total before it calls the provider", async () => {
    const client = new ApiClient(stack.url);
    const sent = { ...payload("new_signup", "IN", 25), ...accountPayload() };
    const begun = z.object({ id: z.string(), token: z.string(), totalCost: z.number() });
    const { id, token, totalCost } = requireSuccess(begun, await client.post("/create/order", sent));
    client.token = token;
    const before = await digestDatabase(context.db);
    for (const [data, details] of [
      [{ totalAmount: totalCost - 1 }, {}],
      [{ totalAmount: totalCost }, { total_amount: totalCost + 1 }],
      [{ totalAmount: totalCost }, { tax_amount: 0 }],
    ]) {
      const reply = await client.post("/api/capturepayment", {
        data: { id, terms: true, ...data },
        payment_details: details,
      });
      expect([reply.status, reply.body]).toEqual([
        409,
        expect.objectContaining({ status: "fail", Error: "Price has changed" }),
      ]);
    }
    const unaccepted = await client.post("/api/capturepayment", {
      data: { id, terms: false, totalAmount: totalCost },
    });
    expect([unaccepted.status, unaccepted.body]).toMatchObject([400, { fields: { "data.terms": /terms/ } }]);
    expect(await digestDatabase(context.db)).toEqual(before);
  });
});
