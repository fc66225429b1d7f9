/** Buys more of a subscription and renews it over HTTP, form by form, and reads the outcome on both sides. */
import { z } from "zod";
import { type OrderId, parseId, type SubscriptionId } from "#db/ids.ts";
import type { Context } from "#server/platform/context.ts";
import { type HttpBrowser, hiddenFieldValue } from "./http-browser.ts";
import { placeOrder, returnForm } from "./journey.ts";
import { sandboxControls } from "./sandbox-controls.ts";
import { until } from "./until.ts";

export type Change = "more" | "renew";

export const changePath = (change: Change, id: SubscriptionId) =>
  change === "more" ? `/buy/more/${id}` : `/${id}/renew`;

export interface BegunChange {
  id: OrderId;
  /** The order's path, without a step. */
  path: string;
}

/** Posts the first step. */
export async function beginChange(
  browser: HttpBrowser,
  change: Change,
  subscriptionId: SubscriptionId,
  quantity: number,
): Promise<BegunChange> {
  const answer = await browser.post(changePath(change, subscriptionId), { quantity: String(quantity) });
  if (answer.status !== 303) throw new Error(`Step 1 answered ${answer.status}: ${answer.text}`);
  const path = z
    .string()
    .parse(answer.location)
    .replace(/\/place-order$/, "");
  const id = parseId<OrderId>(path.split("/").at(-1));
  if (id === null) throw new Error(`Step 1 answered ${answer.location}`);
  return { id, path };
}

/** Accepts the terms, which creates an unpaid order at the provider. @returns the provider's order id */
export async function openPayment(browser: HttpBrowser, { path }: BegunChange): Promise<string> {
  const review = await browser.get(`${path}/place-order`);
  if (review.status !== 200) throw new Error(`The review answered ${review.status} ${review.location}`);
  await placeOrder(browser, { path, totalMinor: Number(hiddenFieldValue(review.text, "total")) });
  return hiddenFieldValue((await browser.get(`${path}/place-order`)).text, "order_id");
}

/** Pays at the provider and returns. @returns the path to which the store redirects */
export async function payChange(
  browser: HttpBrowser,
  sandboxUrl: string,
  order: BegunChange,
): Promise<string | null> {
  const providerOrderId = await openPayment(browser, order);
  const paid = await sandboxControls(sandboxUrl).pay({ orderId: providerOrderId, webhook: false });
  return (await browser.post("/payments/return", returnForm(providerOrderId, paid))).location;
}

/** Resolves with the outcome when the order is fulfilled, needs attention, or is refunded. */
export async function outcomeOfChange({ db }: Context, { id }: BegunChange): Promise<string> {
  const read = async () => {
    const order = await db
      .selectFrom("orders")
      .select(["fulfilment_status", "payment_status"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    return order.payment_status === "refunded" ? order.payment_status : order.fulfilment_status;
  };
  await until("the order is done", async () =>
    ["done", "needs_attention", "refunded"].includes(await read()),
  );
  return read();
}
