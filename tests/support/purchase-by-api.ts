/** A purchase through calls only, from the plan to the sign-in details. */
import { expect } from "vitest";
import { z } from "zod";
import { ApiClient, accountPayload, requireSuccess } from "./api-client.ts";
import { paymentSchema } from "./change-by-api.ts";
import { freshEmail } from "./journey.ts";
import type { SandboxControls } from "./sandbox-controls.ts";
import { until } from "./until.ts";

const begun = z.object({ id: z.string(), token: z.string(), totalCost: z.number(), url: z.string() });
export const signedUp = z.object({
  status: z.string(),
  customerid: z.string(),
  message: z.string(),
  other: z.string(),
});
const stage = z.object({ stage: z.string(), razorpay: z.string() });
const closed = z.object({
  username: z.string(),
  password: z.string(),
  is_existing_customer: z.boolean(),
  existing_customer_email: z.string(),
});

export interface Begun {
  client: ApiClient;
  id: string;
  url: string;
  email: string;
  totalCost: number;
}

export async function startOrderByApi(
  origin: string,
  plan: object,
  country: "IN" | "US" = "IN",
): Promise<Begun> {
  const client = new ApiClient(origin);
  const email = freshEmail();
  const order = requireSuccess(
    begun,
    await client.post("/create/order", { count: 3, ...plan, ...accountPayload(email, country) }),
  );
  client.token = order.token;
  return { client, email, ...order };
}

/** Accepts the terms, pays at the provider, and passes its result on. */
export async function payByApi(levers: SandboxControls, { client, id, totalCost }: Begun): Promise<void> {
  const details = requireSuccess(
    z.object({ grand_total: z.number(), razorpay_order_id: z.string() }),
    await client.get(`/placeorder?id=${id}`),
  );
  expect(details).toEqual({ grand_total: totalCost, razorpay_order_id: "" });
  const data = { id, terms: true, totalAmount: details.grand_total };
  const open = requireSuccess(paymentSchema, await client.post("/api/capturepayment", { data }));
  expect(open).toMatchObject({
    status: false,
    state: "awaiting_payment",
    amount: Math.round(totalCost * 100),
  });
  expect(open.razorpay).toBe(requireSuccess(stage, await client.get(`/get/stage?id=${id}`)).razorpay);
  const again = requireSuccess(
    z.object({ razorpay_order_id: z.string() }),
    await client.get(`/placeorder?id=${id}`),
  );
  expect(again.razorpay_order_id).toBe(open.razorpay_order_id);

  const paid = await levers.pay({ orderId: open.razorpay_order_id, webhook: false });
  const payment_data = {
    razorpay_payment_id: paid.paymentId,
    razorpay_order_id: open.razorpay_order_id,
    razorpay_signature: paid.signature,
  };
  const captured = requireSuccess(
    paymentSchema,
    await client.post("/api/capturepayment", { data: { ...data, payment_data } }),
  );
  expect(captured).toMatchObject({ status: true, state: "completed", stage: "stage3" });
}

export async function waitUntilFulfilledByApi({ client, id }: Begun): Promise<z.infer<typeof closed>> {
  await until(`${id} to be fulfilled`, async () => {
    return requireSuccess(stage, await client.get(`/get/stage?id=${id}`)).stage === "stage4";
  });
  return requireSuccess(closed, await client.get(`/closure?id=${id}`));
}
