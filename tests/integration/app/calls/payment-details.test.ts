/**
 * The payment_details of a call that pays: each is compared, and a wrong one is refused by name before any call to the
 * provider.
 */
import { expect, test } from "vitest";
import { z } from "zod";
import { ApiClient, accountPayload, requireSuccess } from "#tests/support/api-client.ts";
import { paymentSchema } from "#tests/support/change-by-api.ts";
import { digestDatabase } from "#tests/support/digest.ts";
import { freshEmail } from "#tests/support/journey.ts";
import { startStore } from "#tests/support/store.ts";

const { stack, context, controls } = await startStore();

const begun = z.object({ id: z.string(), token: z.string(), totalCost: z.number() });
const refusal = z.object({ fields: z.record(z.string(), z.string()) });

async function order() {
  const client = new ApiClient(stack.url);
  const sent = { sku_id: "brio-desk", item_family: "brio", country: "IN", count: 2, ...accountPayload() };
  const { id, token, totalCost } = requireSuccess(begun, await client.post("/create/order", sent));
  client.token = token;
  return { client, id, totalCost };
}

test("refuses each detail of another order by name and accepts matching ones", async () => {
  const { client, id, totalCost } = await order();
  const before = await digestDatabase(context.db);
  const data = { id, terms: true, totalAmount: totalCost };
  for (const [details, status, field] of [
    [{ quantity: 5 }, 409, "payment_details.quantity"],
    [{ quantity: "5" }, 409, "payment_details.quantity"],
    [{ quantity: -1 }, 400, "payment_details.quantity"],
    [{ quantity: "'; DROP TABLE users;--" }, 400, "payment_details.quantity"],
    [{ amount: 1 }, 409, "payment_details.amount"],
    [{ tax_rate: 0 }, 409, "payment_details.tax_rate"],
    [{ tax_amount: 0 }, 409, "payment_details.tax_amount"],
    [{ total_amount: totalCost + 1 }, 409, "data.totalAmount"],
    [{ order_type: "RENEW" }, 400, "payment_details.order_type"],
    [{ item_family: "google" }, 400, "payment_details.item_family"],
    [{ console: "UP" }, 400, "payment_details.console"],
  ] as const) {
    const reply = await client.post("/api/capturepayment", { data, payment_details: details });
    expect([reply.status, Object.keys(refusal.parse(reply.body).fields)], JSON.stringify(details)).toEqual([
      status,
      [field],
    ]);
  }
  expect(await digestDatabase(context.db)).toEqual(before);
  const right = { quantity: 2, console: "IP", order_type: "NEW", item_family: "brio", tax_rate: 0.18 };
  const open = requireSuccess(
    paymentSchema,
    await client.post("/api/capturepayment", { data, payment_details: right }),
  );
  expect(open).toMatchObject({ status: false, state: "awaiting_payment", amount: totalCost * 100 });
});

test("accepts the specification's payload, which has no field for the terms", async () => {
  const { client, id, totalCost } = await order();
  const sent = (more: object) =>
    client.post("/api/capturepayment", {
      payment_details: { quantity: 2, total_amount: totalCost },
      data: {
        id,
        email: "a@example.com",
        first_name: "Asha",
        phone: "9876543210",
        totalAmount: totalCost,
        isAuthenticated: true,
        ...more,
      },
    });
  const refused = await sent({ terms: false });
  expect([refused.status, refusal.parse(refused.body).fields]).toEqual([
    400,
    { "data.terms": "Please accept the terms to place the order." },
  ]);
  const open = requireSuccess(paymentSchema, await sent({}));
  const paid = await controls.pay({ orderId: open.razorpay_order_id, webhook: false });
  const payment_data = {
    razorpay_payment_id: paid.paymentId,
    razorpay_order_id: open.razorpay_order_id,
    razorpay_signature: paid.signature,
  };
  expect(requireSuccess(paymentSchema, await sent({ payment_data }))).toMatchObject({ status: true });
  const { rows } = await context.pool.query("select text from consents where order_id = $1", [id]);
  expect(rows).toContainEqual({ text: "terms" });
});

test("names the provider's order in every reply, whichever confirms payment first", async () => {
  const { client, id, totalCost } = await order();
  const begin = { data: { id, terms: true, totalAmount: totalCost } };
  const open = requireSuccess(paymentSchema, await client.post("/api/capturepayment", begin));
  const paid = await controls.pay({ orderId: open.razorpay_order_id, webhook: false });
  const payment_data = {
    razorpay_payment_id: paid.paymentId,
    razorpay_order_id: open.razorpay_order_id,
    razorpay_signature: paid.signature,
  };
  for (const data of [{ id, payment_data }, { id, payment_data }, { id }]) {
    const captured = requireSuccess(paymentSchema, await client.post("/api/capturepayment", { data }));
    expect(captured).toMatchObject({ status: true, razorpay_order_id: open.razorpay_order_id });
  }
});

test("refuses an account of another country than the order's", async () => {
  const { client, id } = await order();
  const before = await digestDatabase(context.db);
  const refusedFor = async (account: object) => {
    const reply = await client.post("/createacount", { ...account, id, country: "US" });
    return [reply.status, refusal.parse(reply.body).fields];
  };
  expect(await refusedFor(accountPayload(freshEmail(), "US"))).toEqual([
    400,
    { country: "This order is for a different country." },
  ]);
  expect(await refusedFor(accountPayload())).toEqual([
    400,
    { country: "This address is in a different country." },
  ]);
  // The address is valid in neither country, so the rules of the requested one apply.
  expect(await refusedFor({ ...accountPayload(), pincode: "4110" })).toEqual([
    400,
    { pincode: "Please enter a valid ZIP code", state: "Please enter a valid state" },
  ]);
  expect(await digestDatabase(context.db)).toEqual(before);
});
