/** Buys more and renews through calls only, up to the payment at the provider. */
import { expect } from "vitest";
import { z } from "zod";
import { type ApiClient, requireSuccess } from "./api-client.ts";
import type { CustomerSubscription } from "./customer.ts";
import type { SandboxControls } from "./sandbox-controls.ts";

const changes = {
  add: { path: ({ id }: Pick<CustomerSubscription, "id">) => `/add/user/${id}`, kind: "ADD" },
  renew: { path: ({ id }: Pick<CustomerSubscription, "id">) => `/renew-subscription/${id}`, kind: "RENEW" },
} as const;
export type ChangeName = keyof typeof changes;

export const changeCallPath = (change: ChangeName, held: Pick<CustomerSubscription, "id">) =>
  changes[change].path(held);

export const paymentSchema = z.object({
  status: z.boolean(),
  state: z.string(),
  id: z.string(),
  stage: z.string(),
  razorpay: z.string(),
  razorpay_order_id: z.string(),
  amount: z.number(),
  currency: z.string(),
});
const details = z
  .object({ id: z.string(), order_id: z.string(), total_amount: z.number(), quantity: z.number() })
  .nullable();
export const underWay = z.object({
  add_payment_status: z.string(),
  renew_payment_status: z.string(),
  add_payment_details: details,
  renew_payment_details: details,
});
export const moreData = z.object({
  cost_per_person: z.number(),
  days_left: z.number(),
  days_in_term: z.number(),
  quantity: z.number(),
  console: z.string(),
  item_family: z.string(),
});
export const renewalData = z.object({
  subscription_data: z.object({ unit_price: z.number(), start_date: z.string(), end_date: z.string() }),
});

interface Asking {
  client: ApiClient;
  held: Pick<CustomerSubscription, "id">;
}

async function seatPriceOf({ client, held }: Asking, change: ChangeName): Promise<number> {
  const reply = await client.get(changeCallPath(change, held));
  return change === "add"
    ? requireSuccess(moreData, reply).cost_per_person
    : requireSuccess(renewalData, reply).subscription_data.unit_price;
}

/** Payload that begins a change: the price from the call's data times the seats, plus India's tax. */
export async function startPayload(asking: Asking, change: ChangeName, quantity: number) {
  const amount = (Math.round((await seatPriceOf(asking, change)) * 100) * quantity) / 100;
  const tax_amount = Math.round(amount * 18) / 100;
  return {
    subscription_id: asking.held.id,
    payment_details: {
      quantity,
      amount,
      tax_rate: 0.18,
      tax_amount,
      total_amount: Math.round(amount + tax_amount),
      order_type: changes[change].kind,
      console: "IP",
      identifier: "a1b2c3",
    },
  };
}

/** Begins the payment, and pays at the provider. */
export async function openChange(
  levers: SandboxControls,
  asking: Asking,
  change: ChangeName,
  quantity: number,
) {
  const path = changeCallPath(change, asking.held);
  const sent = await startPayload(asking, change, quantity);
  const open = requireSuccess(paymentSchema, await asking.client.post(path, sent));
  expect(open).toMatchObject({
    status: false,
    state: "awaiting_payment",
    amount: sent.payment_details.total_amount * 100,
  });
  const paid = await levers.pay({ orderId: open.razorpay_order_id, webhook: false });
  const given = {
    id: paid.paymentId,
    razorpay_order_id: open.razorpay_order_id,
    razorpay_signature: paid.signature,
  };
  return { path, sent, open, given };
}
