/** The sandbox's Partner Center: a first purchase, idempotency, time windows, and a state that survives restarts. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { microsoft } from "#db/seed/microsoft.ts";
import { openSandbox } from "#sandbox/vendors/sandbox.ts";
import { providerHandlers, type RunningSandbox } from "#sandbox/vendors/start.ts";
import { cartOf, newCustomer, partnerCenterAt } from "./partner-center-support.ts";
import { askToken, bearer, consented, contract, keys, partners, post, start } from "./support.ts";

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

const { v1, get, write, patch, customerWithAgreement, catalogItem, bought } = partnerCenterAt(() => ({
  url: running.url,
  authorization,
}));

/** Moves the clock so that Microsoft has processed the checkout. */
function processed(): Promise<unknown> {
  return post(`${running.url}/control/clock`, { offsetMs: 60_000 });
}

test("asks for a token, and gives a rotating refresh token", async () => {
  expect((await fetch(v1("/agreements"))).status).toBe(401);
  const { refresh_token } = await consented(running.url);
  const exchange = (token: string) =>
    askToken(running.url, { grant_type: "refresh_token", refresh_token: token });
  const first = await (await exchange(refresh_token)).json();
  expect(first.refresh_token).not.toBe((await (await exchange(first.refresh_token)).json()).refresh_token);
  expect(await (await exchange("made-up")).json()).toMatchObject({ error: "invalid_grant" });
});

test("reports a domain as free until it is taken by name or by a customer", async () => {
  const head = async (domain: string) =>
    (await fetch(v1(`/domains/${domain}`), { method: "HEAD", headers: { ...contract, authorization } }))
      .status;
  expect(await head("fresh.onmicrosoft.com")).toBe(404);
  expect(await head("taken-one.onmicrosoft.com")).toBe(200);
  expect((await write("/customers", newCustomer())).status).toBe(201);
  expect(await head("fresh.onmicrosoft.com")).toBe(200);
  const refused = await write("/customers", newCustomer());
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({
    code: "3000",
    description: expect.any(String),
    source: expect.any(String),
  });
});

test.each([
  ["600049", "IN", undefined, "9999999999", "missing"],
  ["600050", "IN", "29AABCB1234C1ZA", "9999999999", "^[A-Z]{5}[0-9]{4}[A-Z]$"],
  ["600051", "IN", "AABCB1234C", "", "phone"],
  ["600002", "US", "12-3456789", "9999999999", "isn't supported"],
])("refuses with %s in %s the number %s and the phone %j", async (code, country, number, phone, says) => {
  const { companyProfile, billingProfile } = newCustomer();
  const partner = partners.find((each) => each.country === country);
  authorization = await bearer(running.url, partner);
  const refused = await write("/customers", {
    companyProfile: { ...companyProfile, organizationRegistrationNumber: number },
    billingProfile: {
      ...billingProfile,
      defaultAddress: { ...billingProfile.defaultAddress, country, phoneNumber: phone },
    },
  });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ code, description: expect.stringContaining(says) });
});

test.each([
  ["1 Main Road", "560001", "VerifiedShippable", 1],
  ["Partial Main Road", "560001", "StreetPartial", 3],
  ["Renamed Main Road", "560001", "InteractionRequired", 1],
  ["Unchecked Main Road", "560001", "NotValidated", 0],
  ["Nowhere", "560001", "None", 0],
  ["1 Main Road", "56000", "None", 0],
])(
  "checks the address %s, %s: %s with %i suggestions; None refuses a customer",
  async (line, code, status, count) => {
    const address = { AddressLine1: line, City: "Bengaluru", State: "KA", PostalCode: code, Country: "IN" };
    const answer = await (await write("/validations/address", address)).json();
    expect(answer.status).toBe(status);
    expect(answer.suggestedAddresses).toHaveLength(count);
    const { companyProfile, billingProfile } = newCustomer();
    const defaultAddress = { ...billingProfile.defaultAddress, addressLine1: line, postalCode: code };
    const made = await write("/customers", {
      companyProfile,
      billingProfile: { ...billingProfile, defaultAddress },
    });
    expect(made.status).toBe(status === "None" ? 400 : 201);
  },
);

test("repeats the first response for a repeated MS-RequestId, and creates nothing", async () => {
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

test("creates users with passwords, and assigns the administrator role", async () => {
  const asPartner = { ...newCustomer(), enableGDAPByDefault: true };
  const { id } = await (await write("/customers", asPartner)).json();
  const statusAndBody = {
    usageLocation: "IN",
    userPrincipalName: "asha@fresh.onmicrosoft.com",
    firstName: "Asha",
    lastName: "Rao",
    displayName: "Asha Rao",
    passwordProfile: { password: "Chosen-Pass-1", forceChangePassword: false },
  };
  const { id: withoutRole } = await (await write("/customers", newCustomer("plain.onmicrosoft.com"))).json();
  const refused = await write(`/customers/${withoutRole}/users`, statusAndBody);
  expect([refused.status, (await refused.json()).code]).toEqual([403, "900308"]);
  const made = await write(`/customers/${id}/users`, statusAndBody);
  expect(made.status).toBe(200);
  const user = await made.json();
  expect((await write(`/customers/${id}/users`, statusAndBody)).status).toBe(409);
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
    headers: { ...contract, authorization, "content-type": "application/json" },
    body: JSON.stringify({ passwordProfile: { password: "Another-Pass-1", forceChangePassword: true } }),
  });
  expect(patched.status).toBe(200);
  expect(running.snapshot().partnerCenter.users.find((each) => each.id === user.id)).toMatchObject({
    displayName: "Asha Rao",
    password: "Another-Pass-1",
    roles: [items[0].id],
  });
});

test("a purchase needs the agreement and both attestations; a cart buys once, and a repeat is an error", async () => {
  const { id: without } = await (await write("/customers", newCustomer("other.onmicrosoft.com"))).json();
  const refused = await write(`/customers/${without}/carts`, cartOf(await catalogItem()));
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: "13605" });

  const id = await customerWithAgreement();
  const codeOf = async (body: object) => (await (await write(`/customers/${id}/carts`, body)).json()).code;
  const whole = cartOf(await catalogItem(), 25);
  expect(await codeOf({ lineItems: whole.lineItems })).toBe("900206");
  expect(await codeOf(cartOf(await catalogItem(), 25, { attestationAccepted: undefined }))).toBe("900203");

  const cart = await (await write(`/customers/${id}/carts`, whole)).json();
  expect(cart.lineItems[0]).not.toHaveProperty("error");
  const requestId = crypto.randomUUID();
  const checkout = async () => {
    const response = await fetch(v1(`/customers/${id}/carts/${cart.id}/checkout`), {
      method: "POST",
      headers: { ...contract, authorization, "ms-requestid": requestId },
    });
    return response.json();
  };
  const first = await checkout();
  expect(first.orderErrors).toEqual([]);
  expect(await checkout()).toMatchObject({ code: "800064" });
  expect(await (await get(`/customers/${id}/orders/${first.orders[0].id}`)).json()).toMatchObject({
    code: "20000",
  });
  expect(await (await get(`/customers/${id}/orders`)).json()).toMatchObject({ items: [] });
  await processed();
  expect(await checkout()).toMatchObject({ code: "800065" });
  const { partnerCenter } = running.snapshot();
  expect(partnerCenter.orders).toHaveLength(1);
  expect(partnerCenter.carts[0]?.checkouts).toBe(3);
  const { subscriptionId } = first.orders[0].lineItems[0];
  expect(await (await get(`/customers/${id}/subscriptions/${subscriptionId}`)).json()).toMatchObject({
    quantity: 25,
    status: "active",
  });
  expect(await (await get(`/customers/${id}/orders/${first.orders[0].id}`)).json()).toMatchObject({
    status: "completed",
  });

  // An add-on is bought like a plan, and needs one in the tenant.
  const addOn = cartOf(await catalogItem("CFQ7TTC0MM8R", "0002"), 1);
  const errorOf = async (customerId: string) =>
    (await (await write(`/customers/${customerId}/carts`, addOn)).json()).lineItems[0].error?.errorCode;
  expect(await errorOf(id)).toBeUndefined();
  expect(await errorOf(await customerWithAgreement("nothing-yet.onmicrosoft.com"))).toBe("800086");
});

test("accepts faults with 201 at checkout: order errors, and a late subscription", async () => {
  const id = await customerWithAgreement();
  const cart = await (await write(`/customers/${id}/carts`, cartOf(await catalogItem()))).json();
  const requestId = crypto.randomUUID();
  // Without a body, like the real call, but with the JSON content type that HTTP clients send.
  const checkout = async () => {
    const response = await fetch(v1(`/customers/${id}/carts/${cart.id}/checkout`), {
      method: "POST",
      headers: { ...contract, authorization, "ms-requestid": requestId, "content-type": "application/json" },
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
  await processed();
  const order = await (await get(`/customers/${id}/orders/${pending.orders[0].id}`)).json();
  expect(order.lineItems[0].subscriptionId).toEqual(expect.any(String));
  expect(running.snapshot().counts).toMatchObject({ "order.place": 1 });
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
  ).toBe("800029");
});

test("refuses unknown items with Microsoft's codes", async () => {
  const statusAndBody = async (path: string) => {
    const answer = await get(path);
    return [answer.status, (await answer.json()).code];
  };
  expect(await statusAndBody("/products/CFQ7TTC0NONE/skus?country=IN")).toEqual([404, "400013"]);
  expect(await statusAndBody("/products/CFQ7TTC0NONE/skus/0001/availabilities?country=IN")).toEqual([
    404,
    "400013",
  ]);
  expect(await statusAndBody("/products/CFQ7TTC0LDPB/skus/0009/availabilities?country=IN")).toEqual([
    404,
    "400018",
  ]);
});

test("lists a separate availability for each term", async () => {
  const path = "/products/CFQ7TTC0LDPB/skus/0001/availabilities?country=IN";
  const { items } = await (await get(path)).json();
  expect(new Set(items.map(({ id }: { id: string }) => id)).size).toBe(2);
  const durations = items.map(({ terms }: { terms: { duration: string }[] }) => [
    ...new Set(terms.map(({ duration }) => duration)),
  ]);
  expect(durations).toEqual([["P1M"], ["P1Y"]]);
});

test("sells items without a limit to companies of any size", async () => {
  const { items: products } = await (await get("/products?country=IN&targetView=OnlineServices")).json();
  for (const { vendor, maxSeats } of microsoft) {
    const { id } = products.find(({ title }: { title: string }) => title === vendor?.product);
    const { items: skus } = await (await get(`/products/${id}/skus?country=IN`)).json();
    const sku = skus.find(({ title }: { title: string }) => title === vendor?.sku);
    expect(sku.maximumQuantity, vendor?.sku).toBe(maxSeats ?? 10_000_000);
  }
  const id = await customerWithAgreement();
  const cart = cartOf(await catalogItem("CFQ7TTC0LF8Q"), 75_000);
  expect((await (await write(`/customers/${id}/carts`, cart)).json()).lineItems[0].error).toBeUndefined();
});

describe("a subscription", () => {
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

  test("loses seats and ends only within seven days", async () => {
    const customerId = await customerWithAgreement();
    const path = `/customers/${customerId}/subscriptions/${await bought(customerId)}`;
    const less = await patch(path, { ...(await (await get(path)).json()), quantity: 3 });
    expect(await less.json()).toMatchObject({ quantity: 3 });
    await post(`${running.url}/control/clock`, { offsetMs: 8 * 24 * 3600_000 });
    authorization = await bearer(running.url);
    const later = await (await get(path)).json();
    expect(await (await patch(path, { ...later, quantity: 2 })).json()).toMatchObject({ code: "900214" });
    expect(await (await patch(path, { ...later, status: "deleted" })).json()).toMatchObject({
      code: "900117",
    });
    expect(await (await patch(path, { ...later, quantity: 4 })).json()).toMatchObject({ quantity: 4 });
  });

  test("accepts seeded demo data", async () => {
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

test("creates a customer from the tenant that approves a relationship", async () => {
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

test("serves the same handlers within a test, under any base URL", async () => {
  const sandbox = await openSandbox({ dataFile: null, razorpay: [keys], partners, log: () => undefined });
  const server = setupServer(...providerHandlers(sandbox));
  server.listen({ onUnhandledRequest: "bypass" });
  try {
    const token = await bearer("http://provider.test/base");
    const domain = "http://provider.test/base/partner-center/v1/domains/taken.onmicrosoft.com";
    expect(
      (await fetch(domain, { method: "HEAD", headers: { ...contract, authorization: token } })).status,
    ).toBe(200);
  } finally {
    server.close();
  }
});

test("keeps its state, first responses and tokens after a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  const dataFile = join(folder, "deep", "sandbox.json");
  const first = await start({ dataFile });
  const token = await bearer(first.url);
  const headers = { ...contract, authorization: token, "ms-requestid": crypto.randomUUID() };
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
