/** Delays of the sandbox's vendors: their responses until a creation or a change is visible. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningSandbox } from "#sandbox/vendors/start.ts";
import { entitlement, googleAt, googleBearer, newCustomer, provisioning, starter } from "./google-support.ts";
import { newCustomer as newTenant, partnerCenterAt } from "./partner-center-support.ts";
import { bearer, post, start } from "./support.ts";

let running: RunningSandbox;
let authorization: string;
let ahead = 0;
beforeAll(async () => {
  running = await start({ delayScale: 1 });
});
beforeEach(async () => {
  await running.reset();
  ahead = 0;
  authorization = await bearer(running.url);
});
afterAll(() => running.stop());

const { get, write, patch, customerWithAgreement, bought } = partnerCenterAt(() => ({
  url: running.url,
  authorization,
}));
const google = async () => googleAt(running.url, await googleBearer(running.url));

const unseen = (customer: string) => running.snapshot().unseen[customer] ?? 0;

async function secondsLater(seconds: number): Promise<void> {
  ahead += seconds * 1000;
  await post(`${running.url}/control/clock`, { offsetMs: ahead });
}

async function refusal(answer: Promise<Response>): Promise<[number, string]> {
  const { status, body } = await answer.then(async (given) => ({
    status: given.status,
    body: await given.json(),
  }));
  return [status, body.code];
}

/** Creates a customer with an agreement and a subscription bought a minute ago. */
async function subscriber(): Promise<{ customer: string; path: string }> {
  await post(`${running.url}/control/delays`, { scale: 0 });
  const customer = await customerWithAgreement();
  const path = `/customers/${customer}/subscriptions/${await bought(customer)}`;
  await secondsLater(61);
  await post(`${running.url}/control/delays`, { scale: 1 });
  return { customer, path };
}

test("a new tenant is not found for 45 seconds", async () => {
  const { id } = await (await write("/customers", newTenant())).json();
  expect(await refusal(get(`/customers/${id}`))).toEqual([404, "60003"]);
  expect(await refusal(write(`/customers/${id}/carts`, {}))).toEqual([404, "60003"]);
  expect(unseen(id)).toBe(2);
  await secondsLater(46);
  expect((await get(`/customers/${id}`)).status).toBe(200);
});

test("finds a tenant that has accepted us at once, but lets it buy after 45 seconds", async () => {
  await post(`${running.url}/control/approve`, { domain: "boss.onmicrosoft.com" });
  const id = running.snapshot().partnerCenter.customers[0]?.id ?? "";
  expect((await get(`/customers/${id}`)).status).toBe(200);
  expect(await refusal(get(`/customers/${id}/subscriptions`))).toEqual([403, "20002"]);
  expect(unseen(id)).toBe(1);
  await secondsLater(46);
  expect((await get(`/customers/${id}/subscriptions`)).status).toBe(200);
});

test("an order and its subscription are not found for a minute", async () => {
  await post(`${running.url}/control/delays`, { scale: 0 });
  const customer = await customerWithAgreement();
  await post(`${running.url}/control/delays`, { scale: 1 });
  await secondsLater(46);
  const subscription = `/customers/${customer}/subscriptions/${await bought(customer)}`;
  const order = `/customers/${customer}/orders/${running.snapshot().partnerCenter.orders[0]?.id}`;
  expect(await refusal(get(order))).toEqual([404, "20000"]);
  expect(await refusal(get(subscription))).toEqual([404, "20003"]);
  expect(await (await get(`/customers/${customer}/subscriptions`)).json()).toMatchObject({ items: [] });
  expect(await (await get(`/customers/${customer}/orders`)).json()).toMatchObject({ items: [] });
  await secondsLater(61);
  expect((await get(order)).status).toBe(200);
  expect((await get(subscription)).status).toBe(200);
});

test("accepts a change of seats, shows it after 30 seconds and blocks others", async () => {
  const { customer, path } = await subscriber();
  const whole = await (await get(path)).json();
  const accepted = await patch(path, { ...whole, quantity: 7 });
  expect([accepted.status, accepted.headers.get("location"), await accepted.text()]).toEqual([
    202,
    `/partner-center/v1${path}`,
    "",
  ]);
  expect(await (await get(path)).json()).toEqual(whole);
  expect(await refusal(patch(path, { ...whole, quantity: 8 }))).toEqual([409, "900278"]);
  expect(unseen(customer)).toBeGreaterThan(0);
  await secondsLater(31);
  expect(await (await get(path)).json()).toMatchObject({ quantity: 7 });
});

test("shows a scheduled end of the term immediately", async () => {
  const { path } = await subscriber();
  const scheduledActions = [{ scheduleType: "TermEnd", actionType: "Cancel" }];
  const answer = await patch(path, {
    ...(await (await get(path)).json()),
    autoRenewEnabled: false,
    scheduledActions,
  });
  expect(answer.status).toBe(200);
  expect(await (await get(path)).json()).toMatchObject({ autoRenewEnabled: false, scheduledActions });
});

test("ends Google's operations after 20 seconds, however often they are polled", async () => {
  const channel = await google();
  const { body: customer } = await channel.post("accounts/C1/customers", newCustomer("fresh.example"));
  const { body: begun } = await channel.post(
    `${customer.name}:provisionCloudIdentity`,
    provisioning("fresh.example"),
  );
  for (let count = 0; count < 5; count += 1)
    expect((await channel.get(begun.name)).body).toMatchObject({ done: false });
  expect(unseen(customer.name)).toBe(5);
  await secondsLater(21);
  expect((await channel.get(begun.name)).body).toMatchObject({ done: true });

  const offer = await channel.offer(customer.name, starter);
  const { body: buying } = await channel.post(`${customer.name}/entitlements`, {
    requestId: crypto.randomUUID(),
    entitlement: entitlement(offer),
  });
  expect((await channel.get(`${customer.name}/entitlements`)).body.entitlements).toEqual([]);
  await secondsLater(21);
  expect((await channel.get(buying.name)).body).toMatchObject({ done: true });
  expect((await channel.get(`${customer.name}/entitlements`)).body.entitlements).toHaveLength(1);
});

test("hides a new domain from Google's directory for 30 seconds", async () => {
  const channel = await google();
  const { body: customer } = await channel.post("accounts/C1/customers", newCustomer("fresh.example"));
  await channel.post(`${customer.name}:provisionCloudIdentity`, provisioning("fresh.example"));
  await secondsLater(21);
  const user = { name: { givenName: "Asha", familyName: "Rao" }, password: "Good$Pass1" };
  expect(await channel.users("/admin%40fresh.example")).toMatchObject({ status: 404 });
  expect(await channel.users("", "POST", { ...user, primaryEmail: "second@fresh.example" })).toMatchObject({
    status: 404,
  });
  await secondsLater(31);
  expect(await channel.users("/admin%40fresh.example")).toMatchObject({ status: 200 });
});

test("a new customer's administrator accepts Google's terms after ten minutes", async () => {
  const channel = await google();
  const { body: customer } = await channel.post("accounts/C1/customers", newCustomer("fresh.example"));
  await channel.post(`${customer.name}:provisionCloudIdentity`, provisioning("fresh.example"));
  await secondsLater(21);
  await channel.post(`${customer.name}/entitlements`, {
    requestId: crypto.randomUUID(),
    entitlement: entitlement(await channel.offer(customer.name, starter)),
  });
  await secondsLater(21);
  const state = async () => {
    const [{ provisioningState, suspensionReasons }] = (await channel.get(`${customer.name}/entitlements`))
      .body.entitlements;
    return [provisioningState, suspensionReasons];
  };
  expect(await state()).toEqual(["SUSPENDED", ["PENDING_TOS_ACCEPTANCE"]]);
  await secondsLater(560);
  expect(await state()).toEqual(["ACTIVE", []]);
});

test("scales all delays with one setting", async () => {
  await post(`${running.url}/control/delays`, { scale: 0.1 });
  const { id } = await (await write("/customers", newTenant())).json();
  await secondsLater(4);
  expect(await refusal(get(`/customers/${id}`))).toEqual([404, "60003"]);
  await secondsLater(1);
  expect((await get(`/customers/${id}`)).status).toBe(200);
});
