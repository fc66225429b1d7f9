/** The sandbox's Google: tokens, domains, customers, provisioning, users, entitlements, and a state that survives restarts. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openSandbox } from "#sandbox/vendors/sandbox.ts";
import { providerHandlers, type RunningSandbox } from "#sandbox/vendors/start.ts";
import {
  assertion,
  claims,
  commitment,
  entitlement,
  exchange,
  faults,
  googleAt,
  googleBearer,
  newCustomer,
  provisioning,
  scopes,
  starter,
  units,
} from "./google-support.ts";
import { bearer, keys, post, start } from "./support.ts";

let running: RunningSandbox;
let google: ReturnType<typeof googleAt>;
beforeAll(async () => {
  running = await start();
});
beforeEach(async () => {
  await running.reset();
  // Operations end after a number of polls, regardless of the machine's speed.
  await control("google", { operationMs: 60_000 });
  google = googleAt(running.url, await googleBearer(running.url));
});
afterAll(() => running.stop());

const control = (lever: string, body: unknown) => post(`${running.url}/control/${lever}`, body);
const counts = () => running.snapshot().counts;
const day = 24 * 3600_000;

describe("a token", () => {
  test("requires a JWT with the user and the scopes", async () => {
    const refused = async (jwt: string) => {
      const answer = await exchange(running.url, jwt);
      return [answer.status, (await answer.json()).error];
    };
    const bad = [400, "invalid_grant"];
    expect(await refused("no.jwt")).toEqual(bad);
    expect(await refused(assertion(claims({ sub: undefined })))).toEqual(bad);
    expect(await refused(assertion(claims({ scope: "" })))).toEqual(bad);
    expect(await refused(assertion(claims(), { alg: "none" }))).toEqual(bad);
    expect(await refused(assertion(claims({ exp: Math.floor(Date.now() / 1000) + 7200 })))).toEqual(bad);
    const grant = await fetch(`${running.url}/google-token/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    expect(await grant.json()).toMatchObject({ error: "unsupported_grant_type" });
  });

  test("needs Google's endpoint as its source, and the scope of the call", async () => {
    const unauthenticated = {
      status: 401,
      body: {
        error: { code: 401, message: expect.any(String), status: "UNAUTHENTICATED", details: [] },
      },
    };
    const partner = googleAt(running.url, await bearer(running.url));
    expect(await googleAt(running.url, "").get("accounts/C1/customers")).toEqual(unauthenticated);
    expect(await partner.get("accounts/C1/customers")).toEqual(unauthenticated);
    expect(await partner.users("/admin@fresh.example")).toMatchObject({ status: 401 });
    const narrow = googleAt(running.url, await googleBearer(running.url, { scope: scopes.directory }));
    expect(await narrow.get("accounts/C1/customers")).toMatchObject({
      status: 403,
      body: { error: { status: "PERMISSION_DENIED" } },
    });
    await control("clock", { offsetMs: 2 * 3600_000 });
    expect(await google.get("accounts/C1/customers")).toEqual(unauthenticated);
  });
});

describe("a customer", () => {
  test("reports a domain as free, ours, or another reseller's", async () => {
    const check = async (domain: string) =>
      (await google.post("accounts/C1:checkCloudIdentityAccountsExist", { domain })).body
        .cloudIdentityAccounts;
    expect(await check("fresh.example")).toBeUndefined();
    expect(await check("taken-one.example")).toMatchObject([{ existing: true, owned: true }]);
    expect(await check("Transfer-one.example")).toEqual([
      {
        existing: true,
        owned: false,
        customerType: "DOMAIN",
        customerCloudIdentityId: expect.stringMatching(/^C/),
      },
    ]);
    const { body: made } = await google.post("accounts/C1/customers", newCustomer("fresh.example"));
    expect(await check("fresh.example")).toEqual([
      { existing: true, owned: true, customerType: "DOMAIN", customerName: made.name },
    ]);
    expect(
      await google.post("accounts/C1:checkCloudIdentityAccountsExist", { domain: "nodots" }),
    ).toMatchObject({
      status: 400,
      body: { error: { status: "INVALID_ARGUMENT", message: expect.stringContaining("domain") } },
    });
  });

  test("exists once per domain, in pages and by domain", async () => {
    for (const domain of ["one.example", "two.example", "three.example"])
      expect(await google.post("accounts/C1/customers", newCustomer(domain))).toMatchObject({
        status: 200,
        body: { name: expect.stringMatching(/^accounts\/C1\/customers\/\w+$/), domain },
      });
    for (const domain of ["ONE.example", "taken.example"])
      expect(
        await google.post("accounts/C1/customers", {
          ...newCustomer(domain),
          primaryContactInfo: undefined,
        }),
      ).toMatchObject({ status: 409, body: { error: { code: 409, status: "ALREADY_EXISTS" } } });
    const elsewhere = {
      ...newCustomer("four.example"),
      primaryContactInfo: { email: "buyer@gmail.example" },
    };
    expect(await google.post("accounts/C1/customers", elsewhere)).toMatchObject({ status: 400 });
    expect(counts()["google.customer.create"]).toBe(3);

    const first = (await google.get("accounts/C1/customers?pageSize=2")).body;
    const second = (await google.get(`accounts/C1/customers?pageSize=2&pageToken=${first.nextPageToken}`))
      .body;
    expect([first.customers.length, second.customers.length, second.nextPageToken]).toEqual([
      2,
      1,
      undefined,
    ]);
    const filter = encodeURIComponent('domain="two.example"');
    const found = (await google.get(`accounts/C1/customers?filter=${filter}`)).body.customers;
    expect(found).toMatchObject([{ domain: "two.example", orgDisplayName: "Fresh Private Limited" }]);
    expect((await google.get(found[0].name)).body).toEqual(found[0]);
    expect((await google.get("accounts/C2/customers")).body.customers).toEqual([]);
    expect(await google.get("accounts/C1/customers?filter=name")).toMatchObject({ status: 400 });
    expect(await google.get("accounts/C1/customers/none")).toMatchObject({
      status: 404,
      body: { error: { status: "NOT_FOUND" } },
    });
  });

  test("becomes provisioned once, by an operation that takes time", async () => {
    await control("google", { operationPolls: 3 });
    const { name } = (await google.post("accounts/C1/customers", newCustomer("fresh.example"))).body;
    const verb = `${name}:provisionCloudIdentity`;
    const preview = await google.post(verb, { ...provisioning("fresh.example"), validateOnly: true });
    expect(preview.body).toMatchObject({ done: true, response: { domain: "fresh.example" } });
    expect(await google.post(verb, provisioning("other.example"))).toMatchObject({ status: 400 });
    expect(running.snapshot().google).toMatchObject({ operations: [], users: [] });

    const begun = await google.post(verb, provisioning("fresh.example"));
    expect(begun.body).toMatchObject({ done: false });
    expect(await google.post(verb, provisioning("fresh.example"))).toMatchObject({
      body: { error: { status: "FAILED_PRECONDITION" } },
    });
    expect((await google.get(name)).body).not.toHaveProperty("cloudIdentityId");
    expect(await google.users("/admin@fresh.example")).toMatchObject({ status: 404 });
    expect((await google.get(begun.body.name)).body.done).toBe(false);
    const done = await google.ended(begun);
    expect(done).toMatchObject({ response: { name, cloudIdentityId: expect.stringMatching(/^C/) } });
    expect((await google.get(name)).body.cloudIdentityId).toBe(done.response.cloudIdentityId);
    expect(await google.post(verb, provisioning("fresh.example"))).toMatchObject({
      status: 409,
      body: { error: { status: "ALREADY_EXISTS" } },
    });
    expect(counts()["google.provision"]).toBe(1);
    expect(await google.get("operations/none")).toMatchObject({ status: 404 });
  });

  test("finishes a slow operation by the clock too", async () => {
    await control("google", { operationPolls: 1000 });
    const { name } = (await google.post("accounts/C1/customers", newCustomer("fresh.example"))).body;
    const begun = await google.post(`${name}:provisionCloudIdentity`, provisioning("fresh.example"));
    expect((await google.get(begun.body.name)).body.done).toBe(false);
    await control("clock", { offsetMs: 61_000 });
    expect((await google.get(begun.body.name)).body.done).toBe(true);
  });

  test("allows another provisioning after a failed operation", async () => {
    const { name } = (await google.post("accounts/C1/customers", newCustomer("fresh.example"))).body;
    await faults(running.url, [
      { match: { path: ":provisionCloudIdentity$" }, kind: "operationError", times: 1 },
    ]);
    const provision = async () =>
      google.ended(await google.post(`${name}:provisionCloudIdentity`, provisioning("fresh.example")));
    expect(await provision()).toMatchObject({ error: { code: 13, message: expect.any(String) } });
    expect((await google.get(name)).body).not.toHaveProperty("cloudIdentityId");
    expect(await provision()).toMatchObject({ response: { name } });
    expect(counts()).toMatchObject({ "google.provision": 1, "google.provision.failed": 1 });
  });
});

test("updates the provisioned administrator, and inserts further users", async () => {
  const insert = {
    primaryEmail: "Asha@fresh.example",
    name: { givenName: "Asha", familyName: "Rao" },
    password: "Chosen-Pass-1",
  };
  expect(await google.users("", "POST", insert)).toMatchObject({ status: 404 });
  await google.provisioned("fresh.example");
  const admin = (await google.users("/admin%40fresh.example")).body;
  expect(admin).toMatchObject({
    primaryEmail: "admin@fresh.example",
    isAdmin: true,
    name: { givenName: "Asha" },
  });
  expect(await google.users(`/${admin.id}`, "PUT", { password: "short" })).toMatchObject({
    status: 400,
    body: { error: { code: 400, errors: [{ reason: "invalid" }] } },
  });
  expect(await google.users(`/${admin.id}`, "PUT", { password: "Admin-Pass-1" })).toMatchObject({
    status: 200,
  });

  expect(await google.users("", "POST", insert)).toMatchObject({ status: 200, body: { isAdmin: false } });
  expect(await google.users("", "POST", insert)).toMatchObject({
    status: 409,
    body: { error: { code: 409, errors: [{ domain: "global", reason: "duplicate" }] } },
  });
  const made = await google.users("/asha@fresh.example/makeAdmin", "POST", { status: true });
  expect(made).toEqual({ status: 204, body: undefined });
  const changed = { suspended: false, name: { familyName: "Iyer" } };
  const { body } = await google.users("/asha@fresh.example", "PATCH", changed);
  expect(body).toMatchObject({ isAdmin: true, name: { fullName: "Asha Iyer" } });
  expect(body).not.toHaveProperty("password");

  expect(running.snapshot().google.users).toMatchObject([
    { primaryEmail: "admin@fresh.example", password: "Admin-Pass-1", isAdmin: true },
    { primaryEmail: "asha@fresh.example", password: "Chosen-Pass-1", isAdmin: true },
  ]);
  expect(counts()).toMatchObject({
    "google.user.insert": 1,
    "google.user.update": 2,
    "google.user.makeAdmin": 1,
  });
});

describe("an entitlement", () => {
  test("of what is not in the catalogue are refused in Google's words", async () => {
    const of = async (path: string) => (await google.get(path)).body.error?.status;
    expect(await of("products")).toBe("INVALID_ARGUMENT");
    expect(await of("products/none/skus?account=accounts/C1")).toBe("INVALID_ARGUMENT");
    const filter = "sku.product.name=products/Google-Apps AND sku.name=products/Google-Apps/skus/none";
    expect(await of(`accounts/C1/offers?filter=${encodeURIComponent(filter)}`)).toBe("INVALID_ARGUMENT");
  });

  test("requires a Cloud Identity, a listed commitment offer, and 1 to 300 units", async () => {
    const bare = (await google.post("accounts/C1/customers", newCustomer("bare.example"))).body.name;
    const refused = async (customer: string, input: object, requestId: string = crypto.randomUUID()) => {
      const { body } = await google.post(`${customer}/entitlements`, { entitlement: input, requestId });
      return body.error?.status;
    };
    const offer = await google.offer(bare, starter);
    expect(await refused(bare, entitlement(offer))).toBe("FAILED_PRECONDITION");
    const customer = await google.provisioned("fresh.example");
    const listed = (
      await google.get(`${customer}:listPurchasableOffers?createEntitlementPurchase.sku=${starter}`)
    ).body.purchasableOffers;
    expect(listed.at(-1)).toMatchObject({
      offer: {
        name: offer,
        sku: { name: starter },
        plan: { paymentPlan: "COMMITMENT", paymentCycle: { duration: 1, periodType: "YEAR" } },
      },
    });
    expect(await refused(customer, entitlement(listed[0].offer.name))).toBe("INVALID_ARGUMENT");
    expect(await refused(customer, entitlement("accounts/C1/offers/invented"))).toBe("NOT_FOUND");
    expect(await refused(customer, entitlement(offer.replace("C1", "C2")))).toBe("NOT_FOUND");
    expect(await refused(customer, entitlement(offer, 0))).toBe("INVALID_ARGUMENT");
    expect(await refused(customer, entitlement(offer, 301))).toBe("INVALID_ARGUMENT");
    expect(await refused(customer, { ...entitlement(offer), parameters: [] })).toBe("INVALID_ARGUMENT");
    expect(await refused(customer, { ...entitlement(offer), commitmentSettings: undefined })).toBe(
      "INVALID_ARGUMENT",
    );
    const zero = "00000000-0000-0000-0000-000000000000";
    expect(await refused(customer, entitlement(offer), zero)).toBe("INVALID_ARGUMENT");
    expect(await refused(customer, entitlement(offer), "once")).toBe("INVALID_ARGUMENT");
    expect(await google.get(`${customer}:listPurchasableOffers`)).toMatchObject({ status: 400 });
    expect(running.snapshot().google.entitlements).toEqual([]);
    expect(await refused(customer, entitlement(offer, 300))).toBeUndefined();
  });

  test("buys once per requestId, even after a lost response", async () => {
    const customer = await google.provisioned("fresh.example");
    const input = {
      entitlement: { ...entitlement(await google.offer(customer, starter), 25), purchaseOrderId: "order-1" },
      requestId: crypto.randomUUID(),
    };
    const buy = () => google.post(`${customer}/entitlements`, input);
    await faults(running.url, [
      { match: { method: "POST", path: "/entitlements$" }, kind: "reset-after", times: 1 },
    ]);
    await expect(buy()).rejects.toThrow();
    const [one, two] = await Promise.all([buy(), buy()]);
    expect(one.body.name).toBe(two.body.name);
    expect((await google.get(`${customer}/entitlements`)).body.entitlements).toEqual([]);
    const { response } = await google.ended(one);
    expect(response).toMatchObject({
      parameters: [{ name: "num_units", value: { int64Value: "25" } }, {}],
      provisioningState: "ACTIVE",
      purchaseOrderId: "order-1",
      provisionedService: { productId: "Google-Apps", skuId: "1010020027" },
    });
    const { "@type": _type, ...body } = response;
    expect((await google.get(body.name)).body).toEqual(body);
    expect((await google.get(`${customer}/entitlements`)).body.entitlements).toEqual([body]);
    const another = await google.post(`${customer}/entitlements`, {
      ...input,
      requestId: crypto.randomUUID(),
    });
    expect(another).toMatchObject({ status: 409, body: { error: { status: "ALREADY_EXISTS" } } });
    expect(counts()).toMatchObject({
      "google.entitlement.create": 1,
      "google.entitlement.create.replayed": 2,
    });
    const { journal, google: kept } = running.snapshot();
    expect(kept.entitlements).toHaveLength(1);
    expect(journal.filter((entry) => entry.requestId === input.requestId)).toHaveLength(3);
  });

  test("stays absent after a failed operation, until a new requestId buys it", async () => {
    const customer = await google.provisioned("fresh.example");
    const input = { entitlement: entitlement(await google.offer(customer, starter)) };
    const buy = async (requestId: string) =>
      google.ended(await google.post(`${customer}/entitlements`, { ...input, requestId }));
    await faults(running.url, [{ match: { path: "/entitlements$" }, kind: "operationError", times: 1 }]);
    const requestId = crypto.randomUUID();
    const failed = await buy(requestId);
    expect(failed).toMatchObject({ error: { code: 13 } });
    expect(await buy(requestId)).toEqual(failed);
    expect((await google.get(`${customer}/entitlements`)).body.entitlements).toEqual([]);
    expect(await buy(crypto.randomUUID())).toMatchObject({ response: { provisioningState: "ACTIVE" } });
  });

  test("grows but never shrinks, renews if set to, and otherwise ends", async () => {
    const customer = await google.provisioned("fresh.example");
    const offer = await google.offer(customer, starter);
    const buy = async () =>
      google.ended(
        await google.post(`${customer}/entitlements`, {
          entitlement: entitlement(offer),
          requestId: crypto.randomUUID(),
        }),
      );
    const { name } = (await buy()).response;
    const change = (verb: string, body: object, requestId: string = crypto.randomUUID()) =>
      google.post(`${name}:${verb}`, { ...body, requestId });
    const requestId = crypto.randomUUID();
    const more = await change("changeParameters", { parameters: units(8) }, requestId);
    expect(await google.ended(more)).toMatchObject({
      response: { parameters: [{ value: { int64Value: "8" } }, {}] },
    });
    expect((await change("changeParameters", { parameters: units(8) }, requestId)).body.name).toBe(
      more.body.name,
    );
    expect(await change("changeParameters", { parameters: units(7) })).toMatchObject({
      status: 400,
      body: { error: { status: "INVALID_ARGUMENT" } },
    });
    expect(await change("changeParameters", { parameters: units(301) })).toMatchObject({ status: 400 });
    expect(await change("startPaidService", {})).toMatchObject({
      body: { error: { status: "FAILED_PRECONDITION" } },
    });
    expect(counts()).toMatchObject({
      "google.entitlement.change": 1,
      "google.entitlement.change.replayed": 1,
    });
    expect(running.snapshot().google.entitlements).toMatchObject([{ numUnits: 8 }]);

    const ends = Date.parse((await google.get(name)).body.commitmentSettings.endTime);
    const passTo = async (days: number) => {
      await control("clock", { offsetMs: days * day });
      google = googleAt(running.url, await googleBearer(running.url));
    };
    const renewalSettings = { enableRenewal: true, resizeUnitCount: false };
    await google.ended(await change("changeRenewalSettings", { renewalSettings }));
    await passTo(400);
    const renewed = (await google.get(name)).body;
    expect(renewed).toMatchObject({ provisioningState: "ACTIVE", commitmentSettings: { renewalSettings } });
    expect(renewed.commitmentSettings.startTime).toBe(new Date(ends).toISOString());
    await google.ended(
      await change("changeRenewalSettings", {
        renewalSettings: { ...renewalSettings, enableRenewal: false },
      }),
    );
    await passTo(800);
    // No request ended it: only the clock did.
    expect(running.snapshot()).toMatchObject({
      google: { entitlements: [{ suspendedFor: "RENEWAL_WITH_TYPE_CANCEL" }] },
      bills: [
        { kind: "term", seats: expect.any(Number) },
        { kind: "seats", seats: expect.any(Number) },
        { kind: "term", seats: 8 },
      ],
    });
    expect((await google.get(name)).body).toMatchObject({ provisioningState: "SUSPENDED" });
    expect(await change("changeParameters", { parameters: units(9) })).toMatchObject({
      body: { error: { status: "FAILED_PRECONDITION" } },
    });
  });
});

test("an entitlement is cancelled only where it was added to another", async () => {
  const customer = await google.provisioned("fresh.example");
  const cancel = (name: string) => google.post(`${name}:cancel`, { requestId: crypto.randomUUID() });
  const buy = async (sku: string, more: object = {}) => {
    const wanted = { ...entitlement(await google.offer(customer, sku)), ...more };
    const begun = await google.post(`${customer}/entitlements`, {
      entitlement: wanted,
      requestId: crypto.randomUUID(),
    });
    return (await google.ended(begun)).response.name;
  };
  const base = await buy(starter);
  expect(await cancel(base)).toMatchObject({
    status: 400,
    body: {
      error: {
        status: "FAILED_PRECONDITION",
        message: expect.stringContaining("DELETION_TYPE_NOT_ALLOWED"),
      },
    },
  });
  const added = await buy("products/Google-Apps/skus/1010020028", {
    associationInfo: { baseEntitlement: base },
  });
  await google.ended(await cancel(added));
  expect((await google.get(`${customer}/entitlements`)).body.entitlements).toMatchObject([{ name: base }]);
});

describe("a transfer", () => {
  const domain = "transfer-one.example";
  const vault = "products/Google-Vault/skus/Google-Vault";
  const bring = (authToken: string, more: object = {}) =>
    google.post("accounts/C1/customers:import", { domain, authToken, ...more });

  test("begin with a token that is good, and say which way a bad one is bad", async () => {
    const problem = async (token: string) => (await bring(token)).body.error;
    expect(await problem("nonsense")).toMatchObject({ code: 403, status: "PERMISSION_DENIED" });
    expect(await problem("")).toMatchObject({ status: "PERMISSION_DENIED" });
    const expired = {
      code: 403,
      status: "PERMISSION_DENIED",
      message: expect.stringContaining("token expired"),
    };
    expect(await problem("EXPIRED-TOKEN")).toMatchObject(expired);
    const daysAgo = (days: number) => `SANDBOX-TOKEN@${new Date(Date.now() - days * day).toISOString()}`;
    expect(await problem(daysAgo(15))).toMatchObject(expired);
    const young = daysAgo(13);
    await control("clock", { offsetMs: 2 * day });
    google = googleAt(running.url, await googleBearer(running.url));
    expect(await problem(young)).toMatchObject(expired);
    await control("clock", { offsetMs: 0 });
    expect(await bring(young)).toMatchObject({ status: 200, body: { domain } });
    expect(counts()["google.customer.import"]).toBe(1);
  });

  test("imports a customer once", async () => {
    const { body: imported } = await bring("SANDBOX-TOKEN");
    expect(imported).toMatchObject({ domain, cloudIdentityId: expect.stringMatching(/^C/) });
    expect(await bring("SANDBOX-TOKEN")).toMatchObject({ status: 409 });
    const again = await bring("SANDBOX-TOKEN", { overwriteIfExists: true });
    expect(again.body).toEqual(imported);
    const byId = { cloudIdentityId: imported.cloudIdentityId, domain: undefined, overwriteIfExists: true };
    expect((await bring("SANDBOX-TOKEN", byId)).body).toEqual(imported);
    expect(running.snapshot().google.customers).toHaveLength(1);
    expect(await bring("SANDBOX-TOKEN", { domain: "fresh.example" })).toMatchObject({ status: 404 });
    // A domain that already has an account is not provisioned again.
    const { body } = await google.post("accounts/C1/customers", newCustomer("transfer-two.example"));
    expect(
      await google.post(`${body.name}:provisionCloudIdentity`, provisioning("transfer-two.example")),
    ).toMatchObject({ status: 409 });
  });

  test("move everything together, once a requestId", async () => {
    await control("google", { transferableSkus: [starter, vault] });
    const { name, cloudIdentityId } = (await bring("SANDBOX-TOKEN")).body;
    const skus = async (authToken?: string) =>
      (await google.post("accounts/C1:listTransferableSkus", { cloudIdentityId, authToken })).body;
    expect((await skus("nonsense")).error).toMatchObject({ status: "PERMISSION_DENIED" });
    expect((await skus("SANDBOX-TOKEN")).transferableSkus).toMatchObject([
      { transferEligibility: { isEligible: true }, sku: { name: starter } },
      { sku: { name: vault } },
    ]);
    const moving = await Promise.all(
      [starter, vault].map(async (sku) => {
        const { body } = await google.post("accounts/C1:listTransferableOffers", { cloudIdentityId, sku });
        return entitlement(commitment(body.transferableOffers), 25);
      }),
    );
    const requestId = crypto.randomUUID();
    const move = (entitlements: object[], more: object = {}) =>
      google.post(`${name}:transferEntitlements`, {
        entitlements,
        authToken: "SANDBOX-TOKEN",
        requestId,
        ...more,
      });
    expect(await move(moving.slice(1))).toMatchObject({
      body: { error: { status: "FAILED_PRECONDITION" } },
    });
    expect(await move(moving, { authToken: "nonsense" })).toMatchObject({ status: 403 });
    const other = entitlement(await google.offer(name, "products/Google-Apps/skus/1010020026"));
    expect(await move([...moving, other])).toMatchObject({
      body: { error: { status: "INVALID_ARGUMENT" } },
    });
    const begun = await move(moving);
    const { response } = await google.ended(begun);
    expect(response.entitlements).toHaveLength(2);
    expect((await move(moving)).body.name).toBe(begun.body.name);
    expect((await google.get(`${name}/entitlements`)).body.entitlements).toEqual(response.entitlements);
    expect((await skus("SANDBOX-TOKEN")).transferableSkus).toEqual([]);
    expect(await move(moving, { requestId: crypto.randomUUID() })).toMatchObject({ status: 409 });
    expect(counts()).toMatchObject({ "google.transfer": 1, "google.transfer.replayed": 1 });
  });
});

test("a transfer is held to what may move and to the least seats", async () => {
  const transferable = async (domain: string) => {
    const { body: customer } = await google.post("accounts/C1/customers:import", {
      domain,
      authToken: "SANDBOX-TOKEN",
    });
    const of = { cloudIdentityId: customer.cloudIdentityId, authToken: "SANDBOX-TOKEN" };
    const { body } = await google.post("accounts/C1:listTransferableSkus", of);
    return { customer, of, skus: body.transferableSkus };
  };
  const mixed = await transferable("transfer-mixed.example");
  expect(mixed.skus).toMatchObject([
    { transferEligibility: { isEligible: true } },
    { transferEligibility: { isEligible: false, ineligibilityReason: "SKU_NOT_ELIGIBLE" } },
  ]);
  const move = async ({ customer, of, skus }: Awaited<ReturnType<typeof transferable>>, units: number) => {
    const entitlements = [];
    for (const { sku } of skus) {
      const { body } = await google.post("accounts/C1:listTransferableOffers", { ...of, sku: sku.name });
      entitlements.push(entitlement(commitment(body.transferableOffers), units));
    }
    const given = { entitlements, authToken: "SANDBOX-TOKEN", requestId: crypto.randomUUID() };
    return google.post(`${customer.name}:transferEntitlements`, given);
  };
  expect((await move(mixed, 1)).body.error).toMatchObject({ status: "FAILED_PRECONDITION" });
  const large = await transferable("transfer-large.example");
  expect((await move(large, 11)).body.error).toMatchObject({ status: "INVALID_ARGUMENT" });
  expect(await move(large, 12)).toMatchObject({ status: 200 });
});

test("fails with Google's statuses", async () => {
  const statusOf = async (kind: string) => {
    await faults(running.url, [{ match: { path: "^/google-channel/" }, kind, times: 1 }]);
    const { status, body } = await google.get("accounts/C1/customers");
    return [status, body.error.code, body.error.status];
  };
  expect(await statusOf("429")).toEqual([429, 429, "RESOURCE_EXHAUSTED"]);
  expect(await statusOf("500")).toEqual([500, 500, "INTERNAL"]);
  expect(await statusOf("503")).toEqual([503, 503, "UNAVAILABLE"]);
  expect(await statusOf("404")).toEqual([404, 404, "NOT_FOUND"]);
  expect(await google.get("accounts/C1/customers")).toMatchObject({ status: 200 });
});

test("accepts seeded demo data", async () => {
  const name = "accounts/sandbox/customers/Sdemo";
  const held = {
    name: `${name}/entitlements/Sheld`,
    sku: starter,
    numUnits: 25,
    startTime: new Date(Date.now() - 165 * day).toISOString(),
    endTime: new Date(Date.now() + 200 * day).toISOString(),
  };
  const trial = {
    ...held,
    name: `${name}/entitlements/Strial`,
    sku: "products/p/skus/trial",
    trialEndTime: new Date(Date.now() + 7 * day).toISOString(),
  };
  const seed = {
    google: {
      customers: [{ name, domain: "demo.example", orgDisplayName: "Demo" }],
      entitlements: [held, trial],
      identities: [{ domain: "moving.example", skus: [starter] }],
    },
  };
  for (let times = 0; times < 2; times += 1) expect((await control("seed", seed)).status).toBe(200);
  expect(running.snapshot().google.entitlements).toHaveLength(2);
  expect((await google.get(name)).body).toMatchObject({ cloudIdentityId: expect.any(String) });
  const { body } = await google.get(held.name);
  expect(body).toMatchObject({
    commitmentSettings: { endTime: held.endTime },
    offer: await google.offer(name, starter),
  });
  const paid = await google.ended(await google.post(`${trial.name}:startPaidService`));
  expect(paid).toMatchObject({ response: { trialSettings: {} } });
  const moving = await google.post("accounts/C1:checkCloudIdentityAccountsExist", {
    domain: "moving.example",
  });
  expect(moving.body.cloudIdentityAccounts).toMatchObject([{ existing: true, owned: false }]);
  const wrong = { google: { entitlements: [{ ...held, sku: "starter" }] } };
  expect((await control("seed", wrong)).status).toBe(400);
});

test("serves the same handlers within a test, under any base URL", async () => {
  const sandbox = await openSandbox({ dataFile: null, razorpay: [keys], partners: [], log: () => undefined });
  const server = setupServer(...providerHandlers(sandbox));
  server.listen({ onUnhandledRequest: "bypass" });
  try {
    const url = "http://provider.test:8080/base";
    const inProcess = googleAt(url, await googleBearer(url));
    const customer = await inProcess.provisioned("fresh.example");
    expect(await inProcess.offer(customer, starter)).toMatch(/^accounts\/C1\/offers\//);
    expect(await inProcess.users("/admin%40fresh.example")).toMatchObject({ status: 200 });
  } finally {
    server.close();
  }
});

test("keeps its state after a restart, and loads a file from before Google existed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "sandbox-"));
  const dataFile = join(folder, "sandbox.json");
  const first = await start({ dataFile });
  const before = googleAt(first.url, await googleBearer(first.url));
  const customer = await before.provisioned("fresh.example");
  const input = {
    entitlement: entitlement(await before.offer(customer, starter)),
    requestId: crypto.randomUUID(),
  };
  const begun = await before.post(`${customer}/entitlements`, input);
  await first.stop();

  const second = await start({ dataFile });
  const after = googleAt(second.url, await googleBearer(second.url));
  expect((await after.post(`${customer}/entitlements`, input)).body.name).toBe(begun.body.name);
  expect(second.snapshot().google.entitlements).toHaveLength(1);
  await second.stop();

  const { google: _new, ...old } = JSON.parse(await readFile(dataFile, "utf8"));
  await writeFile(dataFile, JSON.stringify(old));
  const third = await start({ dataFile });
  try {
    expect(third.snapshot().counts["google.provision"]).toBe(1);
    expect(third.snapshot().google).toMatchObject({ customers: [], entitlements: [] });
  } finally {
    await third.stop();
    await rm(folder, { recursive: true });
  }
});
