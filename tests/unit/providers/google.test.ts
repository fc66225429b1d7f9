// Google's wire: what every call of Cloud Channel and the Directory API sends, and what its answers mean.
import { describe, expect, test } from "vitest";
import { customerResult, entitlementResult } from "#server/providers/google.ts";
import type { ProviderCall } from "#server/providers/http.ts";
import {
  answerer,
  channelUrl,
  customerName,
  directoryUrl,
  entitlementName,
  offerName,
  refusal,
  requestId,
  startGoogle,
} from "./google-support.ts";
import { failureOf, json, wire } from "./support.ts";

const server = wire();
const google = startGoogle();
const channel = answerer(server, channelUrl);
const directory = answerer(server, directoryUrl);

const account = "/v1/accounts/C0reseller";
const operation = json({ name: "operations/op-1", done: false });
const signed = { authorization: "Bearer access-1" };
const written = { ...signed, "content-type": "application/json" };

describe("a domain", () => {
  const nobody = { customerCloudIdentityId: undefined, customerName: undefined };

  test("is asked about by POST", async () => {
    const sent = channel(json({}));
    expect(await google.checkDomain("contoso.example")).toEqual({ status: 0, ...nobody });
    expect(sent).toMatchObject([
      { method: "POST", path: `${account}:checkCloudIdentityAccountsExist`, headers: written },
    ]);
    expect(sent[0]?.body).toEqual({ domain: "contoso.example" });
  });

  test.each([
    ["an account that does not exist", [{ existing: false }], { status: 0, ...nobody }],
    [
      "ours",
      [{ existing: true, owned: true, customerName, customerCloudIdentityId: "C1", customerType: "DOMAIN" }],
      { status: 1, customerCloudIdentityId: "C1", customerName },
    ],
    [
      "someone else's",
      [{ existing: true, customerCloudIdentityId: "C2" }],
      { status: 2, customerCloudIdentityId: "C2", customerName: undefined },
    ],
    [
      "someone else's beside a team",
      [
        { existing: true, owned: false, customerCloudIdentityId: "C3", customerType: "TEAM" },
        { existing: true, owned: false, customerCloudIdentityId: "C2", customerType: "DOMAIN" },
      ],
      { status: 2, customerCloudIdentityId: "C2", customerName: undefined },
    ],
    [
      "ours among others",
      [
        { existing: true, owned: false, customerCloudIdentityId: "C3" },
        { existing: true, owned: true, customerCloudIdentityId: "C1", customerName },
      ],
      { status: 1, customerCloudIdentityId: "C1", customerName },
    ],
  ])("with %s", async (_name, cloudIdentityAccounts, expected) => {
    channel(json({ cloudIdentityAccounts }));
    expect(await google.checkDomain("contoso.example")).toEqual(expected);
  });

  test("that could not be looked up is neither free nor taken", async () => {
    channel(refusal(503, "UNAVAILABLE"));
    const error = await failureOf(google.checkDomain("contoso.example"));
    expect(error).toMatchObject({ kind: "transient", code: "UNAVAILABLE", status: 503 });
  });
});

describe("customers", () => {
  const customer = {
    domain: "contoso.example",
    orgDisplayName: "Contoso",
    address: {
      regionCode: "IN",
      postalCode: "560001",
      administrativeArea: "Karnataka",
      locality: "Bengaluru",
      addressLines: ["1 MG Road", "2nd floor"],
    },
    contact: { firstName: "Asha", lastName: "Rao", email: "admin@contoso.example", phone: "+919876543210" },
    alternateEmail: "asha@mail.example",
    languageCode: "en-IN",
  };
  const wanted = { name: customerName, domain: "contoso.example" };

  test("are created from address and contact", async () => {
    const sent = channel(json(wanted));
    expect(await google.createCustomer(customer)).toEqual({
      outcome: "created",
      ...wanted,
      cloudIdentityId: undefined,
    });
    const { address, contact, ...rest } = customer;
    expect(sent).toMatchObject([{ method: "POST", path: `${account}/customers`, headers: written }]);
    expect(sent[0]?.body).toEqual({ ...rest, orgPostalAddress: address, primaryContactInfo: contact });
  });

  test("that exist already are found by their domain, and said to have been there", async () => {
    const sent = channel(
      refusal(409, "ALREADY_EXISTS"),
      json({ customers: [{ ...wanted, cloudIdentityId: "C1" }] }),
    );
    expect(await google.createCustomer(customer)).toEqual({
      outcome: "exists",
      ...wanted,
      cloudIdentityId: "C1",
    });
    expect(sent[1]).toMatchObject({
      method: "GET",
      path: `${account}/customers`,
      query: { filter: 'domain = "contoso.example"', pageSize: "50" },
    });
  });

  test("that exist already but are not listed yet are worth another try", async () => {
    channel(refusal(409, "ALREADY_EXISTS"), json({}));
    expect(await failureOf(google.createCustomer(customer))).toMatchObject({
      kind: "transient",
      code: "ALREADY_EXISTS",
    });
  });

  test("are found on any page, by their exact domain only", async () => {
    const sent = channel(
      json({
        customers: [{ name: "accounts/C0reseller/customers/S9", domain: "contoso.example.au" }],
        nextPageToken: "next",
      }),
      json({ customers: [{ name: customerName, domain: "Contoso.example" }] }),
    );
    expect(await google.findCustomerByDomain("contoso.example")).toEqual({
      name: customerName,
      domain: "Contoso.example",
      cloudIdentityId: undefined,
    });
    expect(sent.map((one) => one.query.pageToken)).toEqual([undefined, "next"]);
  });

  test("with two of a domain, the one with a Cloud Identity counts", async () => {
    channel(
      json({
        customers: [
          { ...wanted, name: "accounts/C0reseller/customers/S2" },
          { ...wanted, cloudIdentityId: "C1" },
        ],
      }),
    );
    expect(await google.findCustomerByDomain("contoso.example")).toMatchObject({ name: customerName });
  });

  test("a quote in a domain stays inside the filter", async () => {
    const sent = channel(json({}));
    expect(await google.findCustomerByDomain('x" OR domain = "y')).toBeNull();
    expect(sent[0]?.query.filter).toBe('domain = "x\\" OR domain = \\"y"');
  });

  test("a list without an end is given up", async () => {
    const sent = channel(json({ nextPageToken: "again" }));
    const error = await failureOf(google.findCustomerByDomain("contoso.example"));
    expect(error).toMatchObject({ kind: "refused", code: "endless_list" });
    expect(sent).toHaveLength(100);
  });

  test("are read by name, and no other name is", async () => {
    const sent = channel(json({ ...wanted, cloudIdentityId: "C1" }));
    expect(await google.getCustomer(customerName)).toEqual({ ...wanted, cloudIdentityId: "C1" });
    expect(sent).toMatchObject([{ method: "GET", path: `/v1/${customerName}` }]);
    for (const name of ["accounts/a/customers/..", "accounts/a", `${customerName}/entitlements/e`, ""]) {
      await expect(google.getCustomer(name)).rejects.toThrow(RangeError);
    }
  });

  test("get a Cloud Identity with their first administrator", async () => {
    const sent = channel(operation);
    const user = { email: "admin@contoso.example", givenName: "Asha", familyName: "Rao" };
    const info = { alternateEmail: "asha@mail.example", phoneNumber: "+919876543210", languageCode: "en-IN" };
    expect(await google.provisionCloudIdentity(customerName, { ...info, user })).toBe("operations/op-1");
    expect(sent).toMatchObject([
      { method: "POST", path: `/v1/${customerName}:provisionCloudIdentity`, headers: written },
    ]);
    expect(sent[0]?.body).toEqual({ cloudIdentityInfo: { customerType: "DOMAIN", ...info }, user });
  });
});

describe("operations", () => {
  test.each([{}, { done: false }, { metadata: { operationType: "CREATE_ENTITLEMENT" } }])(
    "%j is pending",
    async (state) => {
      const sent = channel(json({ name: "operations/op-1", ...state }));
      expect(await google.getOperation("operations/op-1", customerResult)).toEqual({ state: "pending" });
      expect(sent).toMatchObject([{ method: "GET", path: "/v1/operations/op-1", headers: signed }]);
    },
  );

  test("done bring the provisioned customer", async () => {
    const response = {
      "@type": "type.googleapis.com/google.cloud.channel.v1.Customer",
      name: customerName,
      domain: "contoso.example",
      cloudIdentityId: "C1",
    };
    channel(json({ name: "operations/op-1", done: true, response }));
    expect(await google.getOperation("operations/op-1", customerResult)).toEqual({
      state: "done",
      response: { name: customerName, domain: "contoso.example", cloudIdentityId: "C1" },
    });
  });

  test.each([
    [3, "INVALID_ARGUMENT", "refused"],
    [6, "ALREADY_EXISTS", "refused"],
    [9, "FAILED_PRECONDITION", "refused"],
    [13, "INTERNAL", "transient"],
    [14, "UNAVAILABLE", "transient"],
    [99, "99", "refused"],
  ])("failed with code %i are %s, %s", async (code, name, kind) => {
    channel(json({ name: "operations/op-1", done: true, error: { code, message: "No" } }));
    const found = await google.getOperation("operations/op-1", entitlementResult);
    expect(found).toMatchObject({
      state: "failed",
      error: { provider: "google", code: name, kind, status: 200, description: "No" },
    });
  });

  test("failed do not repeat the transfer token", async () => {
    channel(
      json({ name: "operations/op-1", done: true, error: { code: 3, message: "Token TOKEN-1 is bad" } }),
    );
    const found = await google.getOperation("operations/op-1", entitlementResult, ["TOKEN-1"]);
    expect(found).toMatchObject({ state: "failed", error: { description: "Token *** is bad" } });
  });

  test("done with something else are an unexpected answer, named without its values", async () => {
    channel(json({ name: "operations/op-1", done: true, response: { name: "asha@mail.example" } }));
    const error = await failureOf(google.getOperation("operations/op-1", customerResult));
    expect(error).toMatchObject({ kind: "refused", code: "unexpected_answer" });
    expect(error.description).toBe("Unexpected fields: name");
  });

  test("are asked for by operation names only", async () => {
    for (const name of ["op-1", "operations/", "operations/../accounts", customerName]) {
      await expect(google.getOperation(name, customerResult)).rejects.toThrow(RangeError);
    }
  });
});

describe("the administrator", () => {
  const users = "/admin/directory/v1/users";
  const user = {
    email: "admin@contoso.example",
    givenName: "Asha",
    familyName: "Rao",
    password: "Ch0sen-one",
  };
  const notFound = json(
    {
      error: {
        code: 404,
        message: "Resource Not Found: userKey",
        errors: [{ message: "Resource Not Found: userKey", domain: "global", reason: "notFound" }],
      },
    },
    404,
  );
  const exists = json(
    { error: { code: 409, message: "Entity already exists.", errors: [{ reason: "duplicate" }] } },
    409,
  );
  const found = json({ id: "1001", primaryEmail: user.email });

  test("made by provisioning gets the chosen password", async () => {
    const sent = directory(found, json({ id: "1001" }));
    expect(await google.ensureUser(user)).toEqual({ outcome: "updated", userId: "1001" });
    expect(sent).toMatchObject([
      { method: "GET", path: `${users}/admin%40contoso.example`, headers: signed },
      { method: "PUT", path: `${users}/1001`, headers: written },
    ]);
    expect(sent[1]?.body).toEqual({ password: "Ch0sen-one", changePasswordAtNextLogin: false });
  });

  test("not there yet is made", async () => {
    const sent = directory(notFound, found);
    expect(await google.ensureUser(user)).toEqual({ outcome: "created", userId: "1001" });
    expect(sent[1]).toMatchObject({ method: "POST", path: users, headers: written });
    expect(sent[1]?.body).toEqual({
      primaryEmail: user.email,
      name: { givenName: "Asha", familyName: "Rao" },
      password: "Ch0sen-one",
      changePasswordAtNextLogin: false,
    });
  });

  test("made meanwhile is updated", async () => {
    const sent = directory(notFound, exists, found, json({ id: "1001" }));
    expect(await google.ensureUser(user)).toEqual({ outcome: "updated", userId: "1001" });
    expect(sent.map((one) => one.method)).toEqual(["GET", "POST", "GET", "PUT"]);
  });

  test("whose address belongs to something else is a refusal", async () => {
    directory(notFound, exists, notFound);
    expect(await failureOf(google.ensureUser(user))).toMatchObject({ kind: "refused", code: "duplicate" });
  });

  test("becomes a super administrator", async () => {
    const sent = directory(() => new Response(null, { status: 204 }));
    await google.makeAdmin("1001");
    expect(sent).toMatchObject([{ method: "POST", path: `${users}/1001/makeAdmin`, headers: written }]);
    expect(sent[0]?.body).toEqual({ status: true });
  });

  test("gets a new password by address", async () => {
    const sent = directory(json({ id: "1001" }));
    await google.setUserPassword(user.email, "An0ther");
    expect(sent).toMatchObject([{ method: "PUT", path: `${users}/admin%40contoso.example` }]);
  });

  test("not completely made yet is worth another try", async () => {
    directory(json({ error: { code: 412, message: "User creation is not complete." } }, 412));
    expect(await failureOf(google.makeAdmin("1001"))).toMatchObject({ kind: "transient", status: 412 });
  });

  test("the Directory API's limit, a 403, is worth another try; a real 403 is not", async () => {
    const denied = (reason: string) =>
      json({ error: { code: 403, message: "No", status: "PERMISSION_DENIED", errors: [{ reason }] } }, 403);
    directory(denied("userRateLimitExceeded"), denied("forbidden"));
    expect(await failureOf(google.makeAdmin("1001"))).toMatchObject({ kind: "transient", status: 403 });
    expect(await failureOf(google.makeAdmin("1001"))).toMatchObject({
      kind: "refused",
      code: "PERMISSION_DENIED",
    });
  });

  test("their password is in no error", async () => {
    directory(found, refusal(400, "INVALID_ARGUMENT", "Invalid Password: Ch0sen-one"));
    const error = await failureOf(google.ensureUser(user));
    expect(error.description).toBe("Invalid Password: ***");
    expect(JSON.stringify(error) + error.message + String(error.stack)).not.toContain("Ch0sen-one");
  });
});

describe("offers", () => {
  const sku = { product: "101047", sku: "1010020027" };
  const year = { duration: 1, periodType: "YEAR" };
  const month = { duration: 1, periodType: "MONTH" };
  const offers = (...list: unknown[]) => ({ purchasableOffers: list.map((offer) => ({ offer })) });
  const commitment = (name: string, paymentCycle: unknown, more: object = {}) => ({
    name,
    sku: { name: "products/101047/skus/1010020027" },
    plan: { paymentPlan: "COMMITMENT", paymentType: "POSTPAY", paymentCycle },
    ...more,
  });

  test("the yearly commitment is picked, over all pages", async () => {
    const sent = channel(
      json({
        ...offers(
          { name: "flexible", plan: { paymentPlan: "FLEXIBLE", paymentCycle: month } },
          commitment("monthly", month),
          commitment("deal", year, { dealCode: "D" }),
          commitment("three years", { duration: 3, periodType: "YEAR" }),
          { name: "trial", plan: { paymentPlan: "COMMITMENT", paymentCycle: year, trialPeriod: month } },
          commitment("another product", year, { sku: { name: "products/101047/skus/other" } }),
        ),
        nextPageToken: "next",
      }),
      json(
        offers(
          commitment(offerName, year, {
            parameterDefinitions: [
              { name: "num_units", minValue: { int64Value: "1" }, maxValue: { int64Value: "300" } },
            ],
          }),
        ),
      ),
    );
    expect(await google.findOffer(customerName, sku)).toEqual({
      name: offerName,
      sku: "products/101047/skus/1010020027",
      paymentPlan: "COMMITMENT",
      paymentCycle: year,
      hasTrial: false,
      dealCode: undefined,
      minUnits: 1,
      maxUnits: 300,
    });
    expect(sent).toMatchObject([
      {
        method: "GET",
        path: `/v1/${customerName}:listPurchasableOffers`,
        query: { "createEntitlementPurchase.sku": "products/101047/skus/1010020027" },
      },
      { query: { pageToken: "next" } },
    ]);
  });

  test("a year's commitment billed monthly will do when there is no other", async () => {
    channel(json(offers(commitment("monthly", month))));
    expect(await google.findOffer(customerName, sku)).toMatchObject({ name: "monthly", paymentCycle: month });
  });

  test("none that fits is a refusal", async () => {
    channel(json(offers({ name: "flexible", plan: { paymentPlan: "FLEXIBLE" } })), json({}));
    for (const _time of [1, 2]) {
      expect(await failureOf(google.findOffer(customerName, sku))).toMatchObject({
        kind: "refused",
        code: "no_offer",
      });
    }
  });
});

describe("entitlements", () => {
  const yearEnd = "2027-11-20T10:00:00.123456789Z";
  const stored = {
    "@type": "type.googleapis.com/google.cloud.channel.v1.Entitlement",
    name: entitlementName,
    offer: offerName,
    provisioningState: "ACTIVE",
    purchaseOrderId: "order-1",
    parameters: [
      { name: "num_units", value: { int64Value: "20" }, editable: true },
      { name: "assigned_units", value: { int64Value: "3" } },
    ],
    commitmentSettings: {
      startTime: "2026-11-20T10:00:00Z",
      endTime: yearEnd,
      renewalSettings: { paymentPlan: "COMMITMENT", paymentCycle: { duration: 1, periodType: "YEAR" } },
    },
    provisionedService: { provisioningId: "P1", productId: "101047", skuId: "1010020027" },
  };
  const entitlement = {
    name: entitlementName,
    offer: offerName,
    numUnits: 20,
    commitmentStart: "2026-11-20T10:00:00Z",
    commitmentEnd: yearEnd,
    state: "ACTIVE",
    suspensionReasons: [],
    purchaseOrderId: "order-1",
    baseEntitlement: undefined,
    sku: { product: "101047", sku: "1010020027" },
    renewal: {
      enableRenewal: false,
      resizeUnitCount: false,
      paymentCycle: { duration: 1, periodType: "YEAR" },
    },
  };
  const renewalSettings = {
    enableRenewal: false,
    resizeUnitCount: false,
    paymentPlan: "COMMITMENT",
    paymentCycle: { duration: 1, periodType: "YEAR" },
  };

  test("are bought as a commitment of seats, under the stored request id", async () => {
    const calls: ProviderCall[] = [];
    const watched = startGoogle({ onCall: (call) => calls.push(call) });
    const sent = channel(operation);
    const order = { offer: offerName, numUnits: 20, purchaseOrderId: "order-1" };
    expect(await watched.createEntitlement(customerName, order, requestId)).toBe("operations/op-1");
    expect(sent).toMatchObject([
      { method: "POST", path: `/v1/${customerName}/entitlements`, headers: written },
    ]);
    expect(sent[0]?.body).toEqual({
      entitlement: {
        offer: offerName,
        parameters: [{ name: "num_units", value: { int64Value: "20" } }],
        commitmentSettings: { renewalSettings },
        purchaseOrderId: "order-1",
      },
      requestId,
    });
    expect(calls.at(-1)).toMatchObject({ path: `/v1/${customerName}/entitlements`, requestId });
  });

  test("of an add-on name their base, and may renew by themselves", async () => {
    const sent = channel(operation);
    const renewal = {
      enableRenewal: true,
      resizeUnitCount: true,
      paymentCycle: { duration: 1, periodType: "MONTH" as const },
    };
    await google.createEntitlement(
      customerName,
      {
        offer: offerName,
        numUnits: 5,
        purchaseOrderId: "order-2",
        baseEntitlement: entitlementName,
        renewal,
      },
      requestId,
    );
    expect(sent[0]?.body).toMatchObject({
      entitlement: {
        associationInfo: { baseEntitlement: entitlementName },
        commitmentSettings: { renewalSettings: { ...renewal, paymentPlan: "COMMITMENT" } },
      },
    });
  });

  test("a retry carries the same request id", async () => {
    const sent = channel(refusal(503, "UNAVAILABLE"), operation);
    const order = { offer: offerName, numUnits: 20, purchaseOrderId: "order-1" };
    await failureOf(google.createEntitlement(customerName, order, requestId));
    await google.createEntitlement(customerName, order, requestId);
    expect(sent[1]?.body).toEqual(sent[0]?.body);
  });

  test("come out of the operation with seats and end", async () => {
    channel(json({ name: "operations/op-1", done: true, response: stored }));
    expect(await google.getOperation("operations/op-1", entitlementResult)).toEqual({
      state: "done",
      response: entitlement,
    });
  });

  test("are read by name, and listed over all pages", async () => {
    const sent = channel(
      json(stored),
      json({ entitlements: [stored], nextPageToken: "next" }),
      json({
        entitlements: [
          { name: `${customerName}/entitlements/E2`, suspensionReasons: ["PENDING_TOS_ACCEPTANCE"] },
        ],
      }),
    );
    expect(await google.getEntitlement(entitlementName)).toEqual(entitlement);
    const [first, second] = await google.listEntitlements(customerName);
    expect(first).toEqual(entitlement);
    expect(second).toMatchObject({
      numUnits: undefined,
      commitmentEnd: undefined,
      suspensionReasons: ["PENDING_TOS_ACCEPTANCE"],
    });
    expect(sent).toMatchObject([
      { method: "GET", path: `/v1/${entitlementName}` },
      { method: "GET", path: `/v1/${customerName}/entitlements`, query: { pageSize: "100" } },
      { query: { pageToken: "next" } },
    ]);
  });

  test("get more seats", async () => {
    const sent = channel(operation);
    expect(await google.changeParameters(entitlementName, 25, requestId)).toBe("operations/op-1");
    expect(sent).toMatchObject([
      { method: "POST", path: `/v1/${entitlementName}:changeParameters`, headers: written },
    ]);
    expect(sent[0]?.body).toEqual({
      parameters: [{ name: "num_units", value: { int64Value: "25" } }],
      requestId,
    });
  });

  test("fewer seats than the commitment are refused by Google", async () => {
    channel(refusal(400, "INVALID_ARGUMENT"));
    const error = await failureOf(google.changeParameters(entitlementName, 2, requestId));
    expect(error).toMatchObject({ kind: "refused", code: "INVALID_ARGUMENT" });
  });

  test("are told to renew", async () => {
    const sent = channel(operation);
    const { paymentPlan: _plan, ...settings } = {
      ...renewalSettings,
      enableRenewal: true,
      paymentCycle: { duration: 1, periodType: "YEAR" as const },
    };
    expect(await google.changeRenewalSettings(entitlementName, settings, requestId)).toBe("operations/op-1");
    expect(sent).toMatchObject([
      { method: "POST", path: `/v1/${entitlementName}:changeRenewalSettings`, headers: written },
    ]);
    expect(sent[0]?.body).toEqual({
      renewalSettings: { ...renewalSettings, enableRenewal: true },
      requestId,
    });
  });

  test("what cannot be a request id, a seat count or a name is not sent", async () => {
    const zero = "00000000-0000-0000-0000-000000000000";
    for (const id of [zero, "order-1", ""]) {
      await expect(google.changeParameters(entitlementName, 5, id)).rejects.toThrow(RangeError);
    }
    for (const seats of [0, -1, 1.5, Number.NaN]) {
      await expect(google.changeParameters(entitlementName, seats, requestId)).rejects.toThrow(RangeError);
    }
    await expect(google.changeParameters(customerName, 5, requestId)).rejects.toThrow(RangeError);
    await expect(google.listEntitlements(entitlementName)).rejects.toThrow(RangeError);
  });
});

describe("errors", () => {
  test.each([
    [400, "INVALID_ARGUMENT", "refused"],
    [400, "FAILED_PRECONDITION", "refused"],
    [403, "PERMISSION_DENIED", "refused"],
    [404, "NOT_FOUND", "refused"],
    [409, "ALREADY_EXISTS", "refused"],
    [409, "ABORTED", "transient"],
    [429, "RESOURCE_EXHAUSTED", "transient"],
    [499, "CANCELLED", "transient"],
    [500, "INTERNAL", "transient"],
    [500, "UNKNOWN", "transient"],
    [500, "DATA_LOSS", "refused"],
    [501, "UNIMPLEMENTED", "refused"],
    [503, "UNAVAILABLE", "transient"],
    [504, "DEADLINE_EXCEEDED", "transient"],
    [400, "SOMETHING_NEW", "refused"],
    [500, "SOMETHING_NEW", "transient"],
  ])("%i %s is %s", async (status, code, kind) => {
    channel(refusal(status, code));
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({
      provider: "google",
      status,
      code,
      kind,
      description: "No",
    });
  });

  test("without a body go by their status", async () => {
    channel(() => new Response("<html>Bad gateway", { status: 502 }));
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({
      kind: "transient",
      status: 502,
    });
  });

  test("say how long to wait, in the header or in the details", async () => {
    const limited = refusal(429, "RESOURCE_EXHAUSTED", "Quota", [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "RATE_LIMIT_EXCEEDED" },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "29.5s" },
    ]);
    channel(limited, json({ error: { status: "UNAVAILABLE" } }, 503, { "retry-after": "7" }));
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({ retryAfterSeconds: 30 });
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({ retryAfterSeconds: 7 });
  });

  test("do not repeat the access token", async () => {
    channel(refusal(403, "PERMISSION_DENIED", "Token access-1 lacks a scope"));
    const error = await failureOf(google.getCustomer(customerName));
    expect(error.description).toBe("Token *** lacks a scope");
  });

  test("a success of another shape is an unexpected answer", async () => {
    channel(json({ name: "S1" }), json([]), json({ operation: "op-1" }));
    const calls = [
      () => google.getCustomer(customerName),
      () => google.getCustomer(customerName),
      () => google.changeParameters(entitlementName, 5, requestId),
    ];
    for (const call of calls) {
      expect(await failureOf(call())).toMatchObject({ kind: "refused", code: "unexpected_answer" });
    }
  });

  test("a redirect is not followed", async () => {
    channel(() => new Response(null, { status: 302, headers: { location: "https://elsewhere.test/" } }));
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({ kind: "refused", status: 302 });
  });
});
