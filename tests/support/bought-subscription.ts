/** Buys a subscription in the store, ages it, and cancels it over HTTP. */

import { listPayments } from "#db/billing/payments.ts";
import { type OrderId, parseId, type SubscriptionId } from "#db/ids.ts";
import { beginChange, type Change, outcomeOfChange, payChange } from "./changes.ts";
import { type HttpBrowser, hiddenFieldValue, type TestResponse } from "./http-browser.ts";
import { type FirstStepOptions, googlePlan, toCheckout } from "./journey.ts";
import { answerSignInGoogle, answerSignInNewTenant, freshPrefix, payFor } from "./paid-order.ts";
import type { Store } from "./store.ts";
import { accountOf, toTransfer } from "./transfer.ts";
import { until } from "./until.ts";

const dayMs = 86_400_000;

type Sides = Pick<Store, "stack" | "context" | "controls" | "provider">;

export interface BoughtSubscription {
  id: SubscriptionId;
  /** The order that created it. */
  orderId: OrderId;
  email: string;
  browser: HttpBrowser;
  /** The vendor's id. */
  externalId: string;
  domain: string;
  totalMinor: number;
}

interface Buying {
  quantity?: number;
  country?: "IN" | "US";
  /** Microsoft's when left out. */
  family?: "microsoft" | "google";
  /** Changes to the account's form, which is a consumer's by default. */
  account?: Record<string, string>;
  /** Age in days. */
  daysAgo?: number;
  /** Amounts of the transfers, in order; left out for a card payment. */
  credits?: (totalMinor: number) => readonly number[];
}

/** Buys a new one. Requires a running worker. */
export async function buySubscription(
  sides: Sides,
  { quantity = 10, country = "IN", family = "microsoft", account = {}, daysAgo = 0, credits }: Buying = {},
): Promise<BoughtSubscription> {
  const { context } = sides;
  const prefix = freshPrefix("give");
  const googleDomain = `${prefix}.com`;
  const wanted = {
    quantity,
    country,
    account,
    ...(family === "google" && { wanted: googlePlan(googleDomain) }),
  };
  const order =
    credits === undefined ? await byCard(sides, wanted) : await byTransfer(sides, wanted, credits);
  if (family === "google") await answerSignInGoogle(order, "admin");
  else await answerSignInNewTenant(order, { prefix });
  const read = () =>
    context.db
      .selectFrom("subscriptions")
      .select(["id", "external_id", "domain"])
      .where("order_id", "=", order.id)
      .executeTakeFirst();
  await until("the subscription is there", async () => (await read()) !== undefined);
  if (family === "google") await sides.provider.acceptTerms(googleDomain);
  const row = await read();
  if (row === undefined) throw new Error("The subscription has gone");
  const { id, external_id: externalId, domain } = row;
  const { email, browser, totalMinor } = order;
  const bought = { id, orderId: order.id, email, browser, externalId, domain, totalMinor };
  if (daysAgo > 0) await ageSubscription(sides, bought, daysAgo);
  return bought;
}

type NewOrder = FirstStepOptions & { account: Record<string, string> };

async function byCard({ stack }: Sides, wanted: NewOrder) {
  const order = await toCheckout(stack.url, wanted);
  await payFor(order, stack.sandboxUrl);
  return order;
}

async function byTransfer(
  { stack, context, controls }: Sides,
  wanted: NewOrder,
  credits: NonNullable<Buying["credits"]>,
) {
  const order = await toTransfer(stack.url, wanted);
  const accountId = await accountOf(controls, order);
  for (const [index, amount] of credits(order.totalMinor).entries()) {
    await controls.credit({ accountId, amount });
    await until(
      "the credit is booked",
      async () => (await listPayments(context.db, order.id)).length > index,
    );
  }
  return order;
}

/**
 * Moves everything about it into the past by this number of days, including its vendor's bills. The vendor's cancellation dates
 * stay.
 */
export async function ageSubscription(
  { context, controls }: Pick<Sides, "context" | "controls">,
  { id, externalId }: Pick<BoughtSubscription, "id" | "externalId">,
  days: number,
): Promise<void> {
  const { db } = context;
  const earlier = (date: Date) => new Date(date.getTime() - days * dayMs);
  const subscription = await db
    .selectFrom("subscriptions")
    .select(["start_date", "end_date"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const end = earlier(subscription.end_date);
  await db
    .updateTable("subscriptions")
    .set({ start_date: earlier(subscription.start_date), end_date: end })
    .where("id", "=", id)
    .execute();
  const orders = await db
    .selectFrom("orders")
    .select(["id", "paid_at", "fulfilled_at"])
    .where("subscription_id", "=", id)
    .execute();
  for (const { id: orderId, paid_at, fulfilled_at } of orders)
    await db
      .updateTable("orders")
      .set({
        paid_at: paid_at === null ? null : earlier(paid_at),
        fulfilled_at: fulfilled_at === null ? null : earlier(fulfilled_at),
      })
      .where("id", "=", orderId)
      .execute();
  await controls.console({ id: externalId, endsAt: end.toISOString() });
  await controls.billedEarlier({ id: externalId, byMs: days * dayMs });
}

/** Buys more licences of it. */
export function buyMore(sides: Pick<Sides, "context" | "stack">, bought: Buyer, quantity: number) {
  return change(sides, bought, "more", quantity);
}

/** Renews it with this number of licences. Its end must be near. */
export function renew(sides: Pick<Sides, "context" | "stack">, bought: Buyer, quantity: number) {
  return change(sides, bought, "renew", quantity);
}

type Buyer = Pick<BoughtSubscription, "id" | "browser">;

async function change(
  { context, stack }: Pick<Sides, "context" | "stack">,
  { id, browser }: Buyer,
  kind: Change,
  quantity: number,
): Promise<OrderId> {
  const order = await beginChange(browser, kind, id, quantity);
  await payChange(browser, stack.sandboxUrl, order);
  const outcome = await outcomeOfChange(context, order);
  if (outcome !== "done") throw new Error(`${kind}: ${outcome}`);
  return order.id;
}

const pagePath = (id: SubscriptionId) => `/subscriptions/${id}/cancel`;

export const cancelPage = (
  { browser, id }: Pick<BoughtSubscription, "browser" | "id">,
  query = "",
): Promise<TestResponse> => browser.get(`${pagePath(id)}${query}`);

export interface Confirmation {
  /** Values that the form posts. */
  form: Record<string, string>;
  text: string;
  totalMinor: number;
}

/** Opens the confirmation page. @param give "all", or a number of licences */
export async function openConfirmation(
  bought: Pick<BoughtSubscription, "browser" | "id">,
  give: string,
): Promise<Confirmation> {
  const { text } = await cancelPage(bought, `?give=${give}`);
  const form = {
    intent: "confirm",
    id: hiddenFieldValue(text, "id"),
    give: hiddenFieldValue(text, "give"),
    total: hiddenFieldValue(text, "total"),
  };
  return { form, text, totalMinor: Number(form.total) };
}

export const confirm = (
  { browser, id }: Pick<BoughtSubscription, "browser" | "id">,
  { form }: Confirmation,
): Promise<TestResponse> => browser.post(pagePath(id), form);

/** Requests a cancellation and waits until it is done or refused. @returns its state then */
export async function cancelAndWait(
  { context }: Pick<Store, "context">,
  bought: Pick<BoughtSubscription, "browser" | "id">,
  give: string,
): Promise<{ state: string; totalMinor: number; page: string }> {
  const confirmation = await openConfirmation(bought, give);
  const { location } = await confirm(bought, confirmation);
  const id = parseId(new URL(location ?? "", "http://store").searchParams.get("asked"));
  if (id === null) throw new Error(`Confirming led to ${location}`);
  const state = await cancellationState({ context }, id);
  const page = await bought.browser.get(location ?? "");
  return { state, totalMinor: confirmation.totalMinor, page: page.text };
}

export async function cancellationState({ context }: Pick<Store, "context">, id: string): Promise<string> {
  const read = async () =>
    (await context.pool.query("select state from cancellations where id = $1", [id])).rows[0]?.state;
  await until("the cancellation is over", async () => ["refund_requested", "refused"].includes(await read()));
  return read();
}
