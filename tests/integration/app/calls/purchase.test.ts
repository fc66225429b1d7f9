/** Complete purchases through API calls only, up to working credentials, and taking them over into the browser. */
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { createSession } from "#server/accounts/sessions.ts";
import { approvalPage, signInAsAdministrator } from "#tests/support/administrator.ts";
import { ApiClient, accountPayload, requireSuccess } from "#tests/support/api-client.ts";
import {
  type ChangeName,
  moreData,
  openChange,
  paymentSchema,
  renewalData,
  underWay,
} from "#tests/support/change-by-api.ts";
import {
  createSubscriptionFor,
  makeCustomer,
  type SubscriptionSpec,
  seedProviders,
} from "#tests/support/customer.ts";
import { orderedSku } from "#tests/support/google-outcome.ts";
import { HttpBrowser } from "#tests/support/http-browser.ts";
import { freshPrefix } from "#tests/support/paid-order.ts";
import {
  type Begun,
  payByApi,
  signedUp,
  startOrderByApi,
  waitUntilFulfilledByApi,
} from "#tests/support/purchase-by-api.ts";
import { startStore } from "#tests/support/store.ts";
import { readSubscription } from "#tests/support/subscriptions.ts";
import { until } from "#tests/support/until.ts";

const { stack, context, controls, provider } = await startStore({ worker: true });
afterAll(async () => {
  expect(stack.unexpectedErrors()).toEqual([]);
});

const microsoft = { sku_id: "microsoft-365-business-basic", item_family: "microsoft", console: "IP" };
const google = { sku_id: "google-workspace-business-starter", item_family: "google", console: "IP" };

const begin = (plan: object, country?: "IN" | "US") => startOrderByApi(stack.url, plan, country);
const pay = (order: Begun) => payByApi(controls, order);

/** Turns the token in the address into the browser's session after its user confirms. */
async function takeOver(browser: HttpBrowser, { token }: ApiClient): Promise<void> {
  const response = await browser.get(`/?jwt-token=${token}`);
  expect((await browser.post(response.location ?? "", {})).location).toBe("/");
}

async function browserOf(client: ApiClient): Promise<HttpBrowser> {
  const browser = new HttpBrowser(stack.url);
  await takeOver(browser, client);
  return browser;
}

test("sets up a new Microsoft account and returns its credentials", async () => {
  const order = await begin(microsoft);
  const { client, id } = order;
  const early = await client.post("/mssignup", { order_id: id, username: "owner", tenantname: "acme" });
  expect([early.status, early.body]).toEqual([409, expect.objectContaining({ status: "Error" })]);
  expect((await client.get(`/closure?id=${id}`)).status).toBe(409);
  await pay(order);
  const prefix = freshPrefix();
  const signup = {
    order_id: id,
    username: "owner",
    tenantname: prefix,
    quantity: 3,
    current_user: order.email,
  };
  const answer = requireSuccess(signedUp, await client.post("/mssignup", signup));
  expect(answer).toMatchObject({ status: "Success", customerid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(requireSuccess(signedUp, await client.post("/mssignup", signup)).status).toBe("Success");
  expect(await waitUntilFulfilledByApi(order)).toEqual({
    username: `owner@${prefix}.onmicrosoft.com`,
    password: expect.stringMatching(/.{8,}/),
    is_existing_customer: false,
    existing_customer_email: "",
  });
});

test("waits for approval of an existing Microsoft account, then continues", async () => {
  const order = await begin(microsoft);
  const { client, id } = order;
  await pay(order);
  const domain = `${freshPrefix()}.onmicrosoft.com`;
  const signup = { order_id: id, is_existing_customer: true, username: `boss@${domain}` };
  const waiting = requireSuccess(signedUp, await client.post("/mssignup", signup));
  expect(waiting).toMatchObject({ status: "Pending", other: `${stack.url}${approvalPage({ id })}` });
  expect(requireSuccess(z.object({ other: z.string() }), await client.get(`/get/stage?id=${id}`)).other).toBe(
    waiting.other,
  );
  const status = z.object({
    cached_data: z.object({ invitation_accepted: z.boolean() }),
    o365_uid: z.string().nullable(),
  });
  const ask = async () =>
    requireSuccess(
      status,
      await client.get(`/reseller/invitation/status?id=${id}&email=${encodeURIComponent(order.email)}`),
    );
  expect(await ask()).toEqual({ cached_data: { invitation_accepted: false }, o365_uid: null });
  // The token's holder opens the page in a browser.
  const browser = await browserOf(client);
  await signInAsAdministrator(browser, approvalPage({ id }));
  expect(requireSuccess(signedUp, await client.post("/mssignup", signup)).status).toBe("Pending");
  await provider.approve(domain);
  await until("the approval", async () => (await ask()).cached_data.invitation_accepted);
  const { o365_uid } = await ask();
  expect(requireSuccess(signedUp, await client.post("/mssignup", { ...signup, o365_uid })).status).toBe(
    "Success",
  );
  const other = await client.post("/mssignup", { ...signup, username: "boss@other.onmicrosoft.com" });
  expect([other.status, other.body]).toEqual([409, expect.objectContaining({ status: "Error" })]);
  const response = await client.get(`/get/stage?id=${id}`);
  expect(response.body).toMatchObject({ other: "", problem: "" });
  expect(await waitUntilFulfilledByApi(order)).toMatchObject({
    is_existing_customer: true,
    existing_customer_email: `boss@${domain}`,
    password: "",
  });
});

test("sets up a new Google domain in the USA", async () => {
  const domain = `${freshPrefix()}.com`;
  const order = await begin({ ...google, console: "UP", domain, customer_type: "new_signup" }, "US");
  await pay(order);
  const weak = await order.client.post("/google/signup", { order_id: order.id, password: "weak" });
  expect([weak.status, weak.body]).toEqual([
    400,
    expect.objectContaining({ status: "Error", fields: { password: expect.any(String) } }),
  ]);
  const signup = { order_id: order.id, username: "admin", password: "Good$Pass1" };
  expect(requireSuccess(signedUp, await order.client.post("/google/signup", signup)).status).toBe("Success");
  expect(await waitUntilFulfilledByApi(order)).toMatchObject({
    username: `admin@${domain}`,
    password: "Good$Pass1",
  });
});

test("asks again for a transfer token that Google refused", async () => {
  const domain = `${freshPrefix()}.com`;
  await provider.holdElsewhere(domain, [orderedSku]);
  const wrong = await new ApiClient(stack.url).post("/create/order", {
    count: 3,
    ...google,
    domain,
    customer_type: "new_signup",
    ...accountPayload(),
  });
  expect([wrong.status, wrong.body]).toMatchObject([400, { fields: { customer_type: expect.any(String) } }]);
  const order = await begin({ ...google, domain, customer_type: "transfer_token" });
  await pay(order);
  const elsewhere = await order.client.post("/mssignup", {
    order_id: order.id,
    username: "a",
    tenantname: "b",
  });
  expect([elsewhere.status, elsewhere.body]).toMatchObject([
    400,
    { fields: { order_id: expect.stringContaining("Google") } },
  ]);
  const refused = { order_id: order.id, is_transfer_token_customer: true, transferToken: "WRONG" };
  expect(requireSuccess(signedUp, await order.client.post("/google/signup", refused)).status).toBe("Success");
  // While the first token is checked, a second is refused; once it is checked, the second is accepted.
  const meanwhile = await order.client.post("/google/signup", { ...refused, transferToken: "ALSO-WRONG" });
  expect([200, 409]).toContain(meanwhile.status);
  const problem = async () =>
    requireSuccess(
      z.object({ state: z.string(), problem: z.string() }),
      await order.client.get(`/get/stage?id=${order.id}`),
    );
  await until("the refusal can be read", async () => (await problem()).problem !== "");
  expect(await problem()).toEqual({
    state: "waiting_for_signin",
    problem: expect.stringContaining("Google didn't accept the transfer token"),
  });
  const signup = { order_id: order.id, is_transfer_token_customer: true, transferToken: "SANDBOX-TOKEN" };
  expect(requireSuccess(signedUp, await order.client.post("/google/signup", signup)).status).toBe("Success");
  expect(await waitUntilFulfilledByApi(order)).toMatchObject({ password: "" });
});

test("fulfils brio after payment, without a sign-in step", async () => {
  const catalogue = z.object({ brio: z.object({ featured_items: z.array(z.object({ sku: z.string() })) }) });
  const { brio } = requireSuccess(catalogue, await new ApiClient(stack.url).get("/dashboard"));
  const order = await begin({ sku_id: brio.featured_items[0]?.sku, item_family: "brio", console: "IP" });
  await pay(order);
  expect(await waitUntilFulfilledByApi(order)).toMatchObject({ password: expect.stringMatching(/.+/) });
});

test("continues an order from API calls in the browser at its current step", async () => {
  const order = await begin(microsoft);
  const browser = new HttpBrowser(stack.url);
  expect((await browser.get(order.url)).location).toMatch(/^\/login/);
  await takeOver(browser, order.client);
  const step = async () => (await browser.get(order.url)).location?.split("/").at(-1);
  expect(await step()).toBe("place-order");
  const review = await browser.get(`${order.url}/place-order`);
  expect(review.text).toContain("Review and Place Order");
  await pay(order);
  expect(await step()).toBe("sign-in");
  const prefix = freshPrefix();
  const signIn = { mode: "new", username: "owner", prefix };
  expect((await browser.post(`${order.url}/sign-in`, signIn)).status).toBe(303);
  expect(await waitUntilFulfilledByApi(order)).toMatchObject({ username: `owner@${prefix}.onmicrosoft.com` });
  expect(await step()).toBe("order-processed");
});

test("orders for a logged-in user in two calls: details, then account", async () => {
  const first = await begin(microsoft);
  const { client } = first;
  const details = requireSuccess(
    z.object({
      id: z.string(),
      status: z.string(),
      stage: z.string(),
      totalCost: z.number(),
      url: z.string(),
    }),
    await client.post("/subscriptiondetails", { ...microsoft, count: 2 }),
  );
  expect(details).toMatchObject({ status: "success", stage: "stage1" });
  expect(details.id).not.toBe(first.id);
  const { customerId } = requireSuccess(
    z.object({ customerId: z.string(), stage: z.literal("stage2") }),
    await client.post("/createacount", { ...accountPayload(first.email), id: details.id }),
  );
  expect(customerId).toMatch(/^[0-9a-f-]{36}$/);
  await pay({ ...first, id: details.id, totalCost: details.totalCost });
});

/** Creates a company with a subscription, in the store and at its provider. */
async function holder(what: SubscriptionSpec) {
  const customer = await makeCustomer(context.db);
  const held = await createSubscriptionFor(context.db, customer, what);
  await seedProviders(context.db, stack.sandboxUrl, customer);
  const { token } = await createSession(context.db, context.env.SESSION_SECRETS, customer.owner.userId);
  return { ...customer, held, client: new ApiClient(stack.url, token) };
}
type Holder = Awaited<ReturnType<typeof holder>>;

async function changed({ client, held }: Holder, change: ChangeName, quantity: number) {
  await until("the change is fulfilled", async () => {
    return (
      requireSuccess(underWay, await client.get(`/api/subscription/${held.id}`))[
        `${change}_payment_status`
      ] === "none"
    );
  });
  const row = await readSubscription(context.db, held.id);
  expect(row).toMatchObject({ changing_order_id: null, status: "active" });
  const { partnerCenter, google: cloud } = await provider.state();
  const there =
    partnerCenter.subscriptions.find(({ id }) => id === held.externalId)?.quantity ??
    cloud.entitlements.find(({ name }) => name === held.externalId)?.numUnits;
  if (row.family !== "brio") expect(there).toBe(quantity);
  return row;
}

const families = ["microsoft", "google", "brio"] as const;

test.each(families)("%s: adds licences through API calls, up to the provider", async (family) => {
  const holding = await holder({ family, quantity: 10, endsInDays: 112 });
  const { client, held } = holding;
  const data = requireSuccess(moreData, await client.get(`/add/user/${held.id}`));
  expect(data).toMatchObject({ quantity: 10, days_left: 112, console: "IP", item_family: family });
  const { path, given } = await openChange(controls, holding, "add", 5);
  expect(
    requireSuccess(underWay, await client.get(`/api/subscription/${held.id}`)).renew_payment_status,
  ).toBe("none");
  const captured = requireSuccess(paymentSchema, await client.post(path, { payment_details: given }));
  expect(captured).toMatchObject({ status: true, state: "completed" });
  expect(await changed(holding, "add", 15)).toMatchObject({ quantity: 15 });
  // Posting it again after fulfilment returns the same payment.
  expect(requireSuccess(paymentSchema, await client.post(path, { payment_details: given }))).toMatchObject({
    status: true,
  });
  expect(requireSuccess(moreData, await client.get(path)).quantity).toBe(15);
  const rows = z.array(z.object({ order_type: z.string(), quantity: z.number() }));
  const orders = await client.get(`/api/get/orders?category=ORD&user=${holding.owner.userId}`);
  expect(requireSuccess(rows, orders)).toEqual([{ order_type: "ADD", quantity: 5 }]);
});

test.each(families)("%s: renews through API calls at the provider's terms", async (family) => {
  const holding = await holder({ family, quantity: 10, endsInDays: 20 });
  const { client, held } = holding;
  const before = await readSubscription(context.db, held.id);
  const { subscription_data: response } = requireSuccess(
    renewalData,
    await client.get(`/renew-subscription/${held.id}`),
  );
  expect(response.start_date).toBe(before.end_date.toISOString());
  const { path, given } = await openChange(controls, holding, "renew", 10);
  expect(requireSuccess(paymentSchema, await client.post(path, { payment_details: given }))).toMatchObject({
    status: true,
  });
  await changed(holding, "renew", 10);
  await until("the next term", async () => {
    return (await readSubscription(context.db, held.id)).end_date.toISOString() === response.end_date;
  });
  const again = await client.get(path);
  expect([again.status, again.body]).toMatchObject([409, { error: /has been renewed/ }]);
});
