/** The sandbox's Partner Center: a customer bought for from nothing, idempotency, windows, and a state that outlives the process. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { microsoft } from "#db/seed/microsoft.ts";
import { openSandbox } from "#server/sandbox/sandbox.ts";
import { providerHandlers, type RunningSandbox } from "#server/sandbox/start.ts";
import { bearer, keys, post, start } from "./support.ts";

let running: RunningSandbox;
let authorization: string;
beforeAll(async () => {
  running = await start();
});
beforeEach(async () => {
  await post(`${running.url}/control/reset`, {});
  authorization = await bearer(running.url);
});
afterAll(() => running.stop());

const v1 = (path: string) => `${running.url}/partner-center/v1${path}`;
const get = (path: string) => fetch(v1(path), { headers: { authorization } });
const write = (path: string, body: unknown, requestId: string = crypto.randomUUID()) =>
  post(v1(path), body, { authorization, "ms-requestid": requestId });

function newCustomer(domain = "fresh.onmicrosoft.com") {
  return {
    companyProfile: { domain, organizationRegistrationNumber: "AABCB1234C" },
    billingProfile: {
      email: "buyer@example.com",
      culture: "en-IN",
      language: "en",
      companyName: "Fresh Private Limited",
      defaultAddress: {
        firstName: "Asha",
        lastName: "Rao",
        addressLine1: "1 Main Road",
        city: "Bengaluru",
        state: "KA",
        postalCode: "560001",
        country: "IN",
        phoneNumber: "+919999999999",
      },
    },
  };
}

async function customerWithAgreement(): Promise<string> {
  const { id } = await (await write("/customers", newCustomer())).json();
  const { items } = await (await get("/agreements?agreementType=MicrosoftCustomerAgreement")).json();
  const agreement = {
    primaryContact: { firstName: "Asha", lastName: "Rao", email: "buyer@example.com" },
    templateId: items[0].templateId,
    dateAgreed: new Date().toISOString(),
    type: "MicrosoftCustomerAgreement",
  };
  expect((await write(`/customers/${id}/agreements`, agreement)).status).toBe(201);
  const again = await write(`/customers/${id}/agreements`, agreement);
  expect(await again.json()).toMatchObject({ code: "600061" });
  return id;
}

async function catalogItem(product = "CFQ7TTC0LDPB"): Promise<string> {
  const { items } = await (await get(`/products/${product}/skus/0001/availabilities?country=IN`)).json();
  expect(items[0].catalogItemId).toBe(`${product}:0001:${items[0].id}`);
  return items[0].catalogItemId;
}

function cartOf(catalogItemId: string, quantity = 5, more: object = {}) {
  return {
    PartnerOnRecordAttestationAccepted: true,
    lineItems: [{ id: 0, catalogItemId, quantity, billingCycle: "annual", termDuration: "P1Y", ...more }],
  };
}

async function bought(customerId: string): Promise<string> {
  const cart = await (await write(`/customers/${customerId}/carts`, cartOf(await catalogItem()))).json();
  const response = await fetch(v1(`/customers/${customerId}/carts/${cart.id}/checkout`), {
    method: "POST",
    headers: { authorization, "ms-requestid": crypto.randomUUID() },
  });
  expect(response.status).toBe(201);
  const { orders } = await response.json();
  return orders[0].lineItems[0].subscriptionId;
}

test("asks for a token, and gives a rotating refresh token", async () => {
  expect((await fetch(v1("/agreements"))).status).toBe(401);
  const exchange = (refreshToken: string) =>
    fetch(`${running.url}/microsoft-login/tenant/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: refreshToken,
        client_id: "app",
        client_secret: "s",
        resource: "https://api.partnercenter.microsoft.com",
      }),
    });
  const first = await (await exchange("consented")).json();
  expect(first.refresh_token).not.toBe((await (await exchange(first.refresh_token)).json()).refresh_token);
  expect(await (await exchange("expired-one")).json()).toMatchObject({ error: "invalid_grant" });
});

test("domains: free until taken, by name or by a customer made here", async () => {
  const head = async (domain: string) =>
    (await fetch(v1(`/domains/${domain}`), { method: "HEAD", headers: { authorization } })).status;
  expect(await head("fresh.onmicrosoft.com")).toBe(404);
  expect(await head("taken-one.onmicrosoft.com")).toBe(200);
  expect((await write("/customers", newCustomer())).status).toBe(201);
  expect(await head("fresh.onmicrosoft.com")).toBe(200);
  const refused = await write("/customers", newCustomer());
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    code: "600049",
    description: expect.any(String),
    source: expect.any(String),
  });
});

test("a repeated MS-RequestId gets the first answer with its password, and makes nothing", async () => {
  const requestId = crypto.randomUUID();
  const first = await (await write("/customers", newCustomer(), requestId)).json();
  expect(first.userCredentials).toMatchObject({ userName: "admin", password: expect.any(String) });
  const [again, racing] = await Promise.all(
    [1, 2].map(async () => (await write("/customers", newCustomer(), requestId)).json()),
  );
  expect(again).toEqual(first);
  expect(racing).toEqual(first);
  const { counts, partnerCenter, journal } = running.snapshot();
  expect(partnerCenter.customers).toHaveLength(1);
  expect(counts).toMatchObject({ "customer.create": 1, "customer.create.replayed": 2 });
  expect(journal.filter((entry) => entry.requestId === requestId).map((entry) => entry.status)).toEqual([
    201, 201, 201,
  ]);
  expect(await (await get(`/customers/${first.id}`)).json()).not.toHaveProperty("userCredentials");
});

test("users, passwords and the administrator role", async () => {
  const { id } = await (await write("/customers", newCustomer())).json();
  const asked = {
    usageLocation: "IN",
    userPrincipalName: "asha@fresh.onmicrosoft.com",
    firstName: "Asha",
    lastName: "Rao",
    displayName: "Asha Rao",
    passwordProfile: { password: "Chosen-Pass-1", forceChangePassword: false },
  };
  const made = await write(`/customers/${id}/users`, asked);
  expect(made.status).toBe(201);
  const user = await made.json();
  expect((await write(`/customers/${id}/users`, asked)).status).toBe(409);
  const { items } = await (await get(`/customers/${id}/directoryroles`)).json();
  const added = await write(`/customers/${id}/directoryroles/${items[0].id}/usermembers`, {
    Id: user.id,
    DisplayName: user.displayName,
    UserPrincipalName: user.userPrincipalName,
    Attributes: { ObjectType: "UserMember" },
  });
  expect(added.status).toBe(201);
  const patched = await fetch(v1(`/customers/${id}/users/${user.id}`), {
    method: "PATCH",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ passwordProfile: { password: "Another-Pass-1", forceChangePassword: true } }),
  });
  expect(patched.status).toBe(200);
  expect(running.snapshot().partnerCenter.users.find((each) => each.id === user.id)).toMatchObject({
    displayName: "Asha Rao",
    password: "Another-Pass-1",
    roles: [items[0].id],
  });
});

test("a purchase needs the agreement; checkout buys once however often it is asked", async () => {
  const { id: without } = await (await write("/customers", newCustomer("other.onmicrosoft.com"))).json();
  const refused = await write(`/customers/${without}/carts`, cartOf(await catalogItem()));
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: "13605" });

  const id = await customerWithAgreement();
  const cart = await (await write(`/customers/${id}/carts`, cartOf(await catalogItem(), 25))).json();
  expect(cart.lineItems[0]).not.toHaveProperty("error");
  const checkout = async () =>
    (
      await fetch(v1(`/customers/${id}/carts/${cart.id}/checkout`), {
        method: "POST",
        headers: { authorization },
      })
    ).json();
  const first = await checkout();
  expect(first.orderErrors).toEqual([]);
  expect(await checkout()).toEqual(first);
  const { partnerCenter } = running.snapshot();
  expect(partnerCenter.orders).toHaveLength(1);
  expect(partnerCenter.carts[0]?.checkouts).toBe(2);
  const { subscriptionId } = first.orders[0].lineItems[0];
  expect(await (await get(`/customers/${id}/subscriptions/${subscriptionId}`)).json()).toMatchObject({
    quantity: 25,
    status: "active",
  });
  expect(await (await get(`/customers/${id}/orders/${first.orders[0].id}`)).json()).toMatchObject({
    status: "completed",
  });

  const addon = await write(
    `/customers/${id}/carts`,
    cartOf(await catalogItem(), 1, { provisioningContext: { parentSubscriptionId: subscriptionId } }),
  );
  expect((await addon.json()).lineItems[0]).not.toHaveProperty("error");
});

test("a checkout can be told to fail with 201, and to tell its subscriptions later", async () => {
  const id = await customerWithAgreement();
  const cart = await (await write(`/customers/${id}/carts`, cartOf(await catalogItem()))).json();
  const requestId = crypto.randomUUID();
  // Empty, as the real call is, and of a JSON type, as HTTP clients send it.
  const checkout = async () => {
    const response = await fetch(v1(`/customers/${id}/carts/${cart.id}/checkout`), {
      method: "POST",
      headers: { authorization, "ms-requestid": requestId, "content-type": "application/json" },
    });
    expect(response.status).toBe(201);
    return response.json();
  };
  await post(`${running.url}/control/faults`, [
    { match: { path: "/checkout$" }, kind: "orderErrors", times: 1 },
    { match: { path: "/checkout$" }, kind: "pendingOrder", times: 1 },
  ]);
  expect(await checkout()).toMatchObject({ orders: [], orderErrors: [{ description: expect.any(String) }] });
  const pending = await checkout();
  expect(pending.orders[0].lineItems[0]).not.toHaveProperty("subscriptionId");
  expect(await checkout()).toEqual(pending);
  const order = await (await get(`/customers/${id}/orders/${pending.orders[0].id}`)).json();
  expect(order.lineItems[0].subscriptionId).toEqual(expect.any(String));
  expect(running.snapshot().counts).toMatchObject({ "order.place": 1, "cart.checkout.replayed": 1 });
});

test("wrong lines are told in the cart", async () => {
  const id = await customerWithAgreement();
  const errorOf = async (cart: object) =>
    (await (await write(`/customers/${id}/carts`, cart)).json()).lineItems[0].error?.errorCode;
  const item = await catalogItem();
  expect(await errorOf(cartOf(item, 301))).toBe("800067");
  expect(await errorOf(cartOf(item, 0))).toBe("2002");
  expect(await errorOf(cartOf("CFQ7TTC0LDPB:0001:INVENTED"))).toBe("CatalogItemIdIsNotValid");
  expect(
    await errorOf(cartOf(item, 1, { provisioningContext: { parentSubscriptionId: crypto.randomUUID() } })),
  ).toBe("SubscriptionIsNotValid");
});

test("a company of any size is sold what has no limit, as the store says", async () => {
  for (const { sku, maxSeats } of microsoft) {
    const { maximumQuantity } = await (await get(`/products/${sku.replace(":", "/skus/")}`)).json();
    expect(maximumQuantity, sku).toBe(maxSeats ?? 10_000_000);
  }
  const id = await customerWithAgreement();
  const cart = cartOf(await catalogItem("CFQ7TTC0LF8Q"), 75_000);
  expect((await (await write(`/customers/${id}/carts`, cart)).json()).lineItems[0].error).toBeUndefined();
});

describe("subscriptions", () => {
  const patch = (path: string, body: unknown) =>
    fetch(v1(path), {
      method: "PATCH",
      headers: { authorization, "content-type": "application/json", "ms-requestid": crypto.randomUUID() },
      body: JSON.stringify(body),
    });

  test("take the whole resource, drop what is left out, refuse a stale etag", async () => {
    const customerId = await customerWithAgreement();
    const path = `/customers/${customerId}/subscriptions/${await bought(customerId)}`;
    const whole = await (await get(path)).json();
    const schedule = {
      product: { productId: "CFQ7TTC0LDPB", skuId: "0001", billingCycle: "annual", termDuration: "P1Y" },
      quantity: 8,
    };
    const scheduled = await (await patch(path, { ...whole, scheduledNextTermInstructions: schedule })).json();
    expect(scheduled).toMatchObject({
      autoRenewEnabled: true,
      scheduledNextTermInstructions: { quantity: 8 },
    });
    expect(await (await patch(path, { ...whole, quantity: 6 })).json()).toMatchObject({ code: "2055" });
    const more = await (await patch(path, { ...scheduled, quantity: 6 })).json();
    expect(more).toMatchObject({ quantity: 6, scheduledNextTermInstructions: null });
    const { autoRenewEnabled: _left, ...incomplete } = more;
    expect(await (await patch(path, incomplete)).json()).toMatchObject({ autoRenewEnabled: false });
  });

  test("lose seats and end only within seven days", async () => {
    const customerId = await customerWithAgreement();
    const path = `/customers/${customerId}/subscriptions/${await bought(customerId)}`;
    const less = await patch(path, { ...(await (await get(path)).json()), quantity: 3 });
    expect(await less.json()).toMatchObject({ quantity: 3 });
    await post(`${running.url}/control/clock`, { offsetMs: 8 * 24 * 3600_000 });
    authorization = await bearer(running.url);
    const later = await (await get(path)).json();
    expect(await (await patch(path, { ...later, quantity: 2 })).json()).toMatchObject({ code: "800090" });
    expect(await (await patch(path, { ...later, status: "deleted" })).json()).toMatchObject({
      code: "800090",
    });
    expect(await (await patch(path, { ...later, quantity: 4 })).json()).toMatchObject({ quantity: 4 });
  });

  test("may be planted for demo data", async () => {
    const id = crypto.randomUUID();
    const seed = {
      customers: [{ domain: "demo.onmicrosoft.com", id: crypto.randomUUID() }],
      subscriptions: [] as object[],
    };
    const customerId = seed.customers[0]?.id;
    seed.subscriptions.push({
      customerId,
      id,
      productId: "P",
      skuId: "0001",
      quantity: 10,
      termDuration: "P1Y",
      billingCycle: "annual",
      effectiveStartDate: "2026-01-01T00:00:00Z",
      commitmentEndDate: "2027-01-01T00:00:00Z",
    });
    for (let times = 0; times < 2; times += 1)
      expect((await post(`${running.url}/control/seed`, seed)).status).toBe(200);
    const { items } = await (await get(`/customers/${customerId}/subscriptions`)).json();
    expect(items).toMatchObject([{ id, quantity: 10, commitmentEndDate: "2027-01-01T00:00:00.000Z" }]);
  });
});

test("a relationship is approved on the page, and the tenant found by its domain becomes a customer", async () => {
  const { url } = await (await get("/customers/relationshiprequests")).json();
  const configuration = await fetch(
    `${running.url}/microsoft-login/contoso.onmicrosoft.com/v2.0/.well-known/openid-configuration`,
  );
  const tenantId = /[0-9a-f-]{36}/.exec((await configuration.json()).issuer)?.[0];
  const before = await get(`/customers/${tenantId}`);
  expect(before.status).toBe(404);
  expect(await before.json()).toMatchObject({ code: "60003" });

  expect(await (await fetch(url)).text()).toContain("Approve</button>");
  const refused = await fetch(url, { method: "POST", body: new URLSearchParams({ username: "nobody" }) });
  expect(refused.status).toBe(400);
  const approved = await fetch(url, {
    method: "POST",
    body: new URLSearchParams({ username: "Admin@Contoso.onmicrosoft.com" }),
  });
  expect(await approved.text()).toContain("contoso.onmicrosoft.com");
  expect(await (await get(`/customers/${tenantId}`)).json()).toMatchObject({
    relationshipToPartner: "reseller",
  });

  const filter = encodeURIComponent(
    JSON.stringify({ Field: "Domain", Value: "contoso", Operator: "starts_with" }),
  );
  expect(await (await get(`/customers?size=5&filter=${filter}`)).json()).toMatchObject({
    totalCount: 1,
    items: [{ id: tenantId }],
  });
  const unknown = await fetch(
    `${running.url}/microsoft-login/unknown-one.com/v2.0/.well-known/openid-configuration`,
  );
  expect(unknown.status).toBe(400);
  expect(await unknown.json()).toMatchObject({ error: "invalid_tenant" });
});

test("the same handlers serve inside a test, under any base URL", async () => {
  const sandbox = await openSandbox({ dataFile: null, razorpay: keys, log: () => undefined });
  const server = setupServer(...providerHandlers(sandbox));
  server.listen({ onUnhandledRequest: "bypass" });
  try {
    const token = await bearer("http://provider.test/base");
    const domain = "http://provider.test/base/partner-center/v1/domains/taken.onmicrosoft.com";
    expect((await fetch(domain, { method: "HEAD", headers: { authorization: token } })).status).toBe(200);
  } finally {
    server.close();
  }
});

test("state, first answers and tokens outlive a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  const dataFile = join(folder, "deep", "sandbox.json");
  const first = await start({ dataFile });
  const token = await bearer(first.url);
  const headers = { authorization: token, "ms-requestid": crypto.randomUUID() };
  const made = await (await post(`${first.url}/partner-center/v1/customers`, newCustomer(), headers)).json();
  await first.stop();

  const second = await start({ dataFile });
  try {
    const again = await (
      await post(`${second.url}/partner-center/v1/customers`, newCustomer(), headers)
    ).json();
    expect(again).toEqual(made);
    expect(second.snapshot().counts["customer.create"]).toBe(1);
  } finally {
    await second.stop();
    await rm(folder, { recursive: true });
  }
});
