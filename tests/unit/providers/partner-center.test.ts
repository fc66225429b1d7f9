// Partner Center's wire: what every call sends, and what its answers mean.
import { describe, expect, test } from "vitest";
import { createPartnerCenter, type PartnerSubscription } from "#server/providers/partner-center.ts";
import { answering, failureOf, json, wire } from "./support.ts";

const api = "https://partner.test";
const login = "https://login.test";
const tenant = "5c1cbb1d-0c0d-4f9d-9d0d-3f2c2bb8a111";
const tokenUrl = `${login}/hubs.example/oauth2/token`;
const requestId = "0f8fad5b-d9cb-469f-a165-70867728950e";
const guid = /^[0-9a-f-]{36}$/;

const server = wire();
const partnerCenter = createPartnerCenter({
  apiUrl: `${api}/`,
  loginUrl: login,
  partnerTenant: "hubs.example",
  clientId: "client",
  clientSecret: "hush",
  timeoutMs: 1000,
  tokens: { readRefreshToken: async () => null, storeRefreshToken: async () => {} },
});

/** Answers one address of the API, and the token's on the side. */
function on(path: string, ...replies: (() => Response)[]) {
  const token = answering(tokenUrl, json({ access_token: "T1", expires_in: "3599" }));
  const { handler, sent } = answering(`${api}${path}`, ...replies);
  server.use(handler, token.handler);
  return sent;
}

const writeHeaders = {
  authorization: "Bearer T1",
  "content-type": "application/json",
  "ms-requestid": requestId,
  "ms-correlationid": expect.stringMatching(guid),
  "x-locale": "en-US",
};

const empty = (status: number) => () => new Response(null, { status });

describe("customers", () => {
  test.each([
    [404, true],
    [200, false],
  ])("a domain answered %i is free: %s", async (status, free) => {
    const sent = on("/v1/domains/contoso.onmicrosoft.com", empty(status));
    expect(await partnerCenter.isDomainAvailable("contoso.onmicrosoft.com")).toBe(free);
    expect(sent).toMatchObject([
      { method: "HEAD", headers: { "ms-requestid": expect.stringMatching(guid) } },
    ]);
  });

  test("a domain that could not be looked up is neither free nor taken", async () => {
    on("/v1/domains/contoso.onmicrosoft.com", empty(503));
    const error = await failureOf(partnerCenter.isDomainAvailable("contoso.onmicrosoft.com"));
    expect(error).toMatchObject({ kind: "transient", status: 503 });
  });

  const customer = {
    domain: "contoso.onmicrosoft.com",
    organizationRegistrationNumber: "AAPFU0939F",
    email: "asha@contoso.example",
    culture: "en-IN",
    language: "en",
    companyName: "Contoso",
    address: {
      firstName: "Asha",
      lastName: "Rao",
      addressLine1: "1 MG Road",
      city: "Bengaluru",
      state: "KA",
      postalCode: "560001",
      country: "IN",
      phoneNumber: "9876543210",
    },
  };

  test("are created with company and billing profile", async () => {
    const sent = on(
      "/v1/customers",
      json(
        {
          id: tenant,
          commerceId: "c",
          companyProfile: { tenantId: tenant, domain: "contoso.onmicrosoft.com" },
          userCredentials: { userName: "admin", password: "Shown-0nce" },
        },
        201,
      ),
    );
    expect(await partnerCenter.createCustomer(customer, requestId)).toEqual({
      tenantId: tenant,
      domain: "contoso.onmicrosoft.com",
      adminUserName: "admin",
      adminPassword: "Shown-0nce",
    });
    const { domain, organizationRegistrationNumber, address, ...billing } = customer;
    expect(sent).toMatchObject([{ method: "POST", headers: writeHeaders }]);
    expect(sent[0]?.body).toEqual({
      companyProfile: { domain, organizationRegistrationNumber },
      billingProfile: { ...billing, defaultAddress: address },
    });
  });

  test("a retry carries the same request id and another correlation id", async () => {
    const sent = on("/v1/customers", json({}, 500));
    await failureOf(partnerCenter.createCustomer(customer, requestId));
    await failureOf(partnerCenter.createCustomer(customer, requestId));
    expect(sent.map((one) => one.headers["ms-requestid"])).toEqual([requestId, requestId]);
    expect(new Set(sent.map((one) => one.headers["ms-correlationid"])).size).toBe(2);
  });

  test("are found by their exact domain only", async () => {
    const sent = on(
      "/v1/customers",
      json({
        totalCount: 2,
        items: [
          { id: "other", companyProfile: { domain: "contoso.onmicrosoft.com.au" } },
          { id: tenant, companyProfile: { domain: "Contoso.onmicrosoft.com" } },
        ],
      }),
      json({ totalCount: 0, items: [] }),
    );
    expect(await partnerCenter.findCustomerByDomain("contoso.onmicrosoft.com")).toEqual({ tenantId: tenant });
    expect(await partnerCenter.findCustomerByDomain("contoso.onmicrosoft.com")).toBeNull();
    expect(JSON.parse(sent[0]?.query.filter ?? "")).toEqual({
      Field: "Domain",
      Value: "contoso.onmicrosoft.com",
      Operator: "starts_with",
    });
  });

  test.each([
    ["accepted", json({ id: tenant, relationshipToPartner: "reseller" }), "reseller"],
    ["known otherwise", json({ id: tenant, relationshipToPartner: "none" }), "none"],
    ["404, 60003", json({ code: 60003, description: "No" }, 404), "none"],
    ["403, 20002", json({ code: "20002", description: "No" }, 403), "none"],
  ])("relationship: %s", async (_name, reply, relationship) => {
    on(`/v1/customers/${tenant}`, reply);
    expect(await partnerCenter.getRelationship(tenant)).toBe(relationship);
  });

  test("a 403 of another kind is our own permission missing", async () => {
    on(`/v1/customers/${tenant}`, json({ code: "1000", description: "No" }, 403));
    expect(await failureOf(partnerCenter.getRelationship(tenant))).toMatchObject({
      kind: "refused",
      code: "1000",
    });
  });

  test("the approval link is handed over, a script is not", async () => {
    const link = "https://admin.microsoft.com/Adminportal/Home?invType=ResellerRelationship";
    on("/v1/customers/relationshiprequests", json({ url: link }), json({ url: "javascript:alert(1)" }));
    expect(await partnerCenter.relationshipRequestUrl()).toBe(link);
    expect(await failureOf(partnerCenter.relationshipRequestUrl())).toMatchObject({
      code: "unexpected_answer",
    });
  });
});

describe("the agreement", () => {
  const contact = { firstName: "Asha", lastName: "Rao", email: "asha@contoso.example", phoneNumber: "98765" };
  const agreed = new Date("2026-11-20T10:00:00Z");

  function templates() {
    const { handler, sent } = answering(
      `${api}/v1/agreements`,
      json({
        items: [
          { templateId: "old", versionRank: 0 },
          { templateId: "new", versionRank: 1 },
        ],
      }),
    );
    server.use(handler);
    return sent;
  }

  test("is recorded from its newest template", async () => {
    const asked = templates();
    const sent = on(`/v1/customers/${tenant}/agreements`, json({}, 201));
    await partnerCenter.ensureAgreement(tenant, contact, agreed, requestId);
    expect(asked[0]?.query).toEqual({ agreementType: "MicrosoftCustomerAgreement" });
    expect(sent).toMatchObject([{ method: "POST", headers: writeHeaders }]);
    expect(sent[0]?.body).toEqual({
      primaryContact: contact,
      templateId: "new",
      dateAgreed: "2026-11-20T10:00:00.000Z",
      type: "MicrosoftCustomerAgreement",
    });
  });

  test("that exists already (600061) is success, any other code is not", async () => {
    templates();
    on(
      `/v1/customers/${tenant}/agreements`,
      json({ code: 600061, description: "Exists" }, 409),
      json({ code: 600999, description: "No" }, 400),
    );
    await partnerCenter.ensureAgreement(tenant, contact, agreed, requestId);
    const again = partnerCenter.ensureAgreement(tenant, contact, agreed, requestId);
    expect(await failureOf(again)).toMatchObject({ kind: "refused", code: "600999" });
  });
});

describe("the tenant of a domain", () => {
  const url = `${login}/contoso.example/v2.0/.well-known/openid-configuration`;

  test("is the GUID in the issuer", async () => {
    server.use(answering(url, json({ issuer: `https://login.microsoftonline.com/${tenant}/v2.0` })).handler);
    expect(await partnerCenter.tenantIdOfDomain("contoso.example")).toBe(tenant);
  });

  test("is null when there is none, an error when it could not be asked", async () => {
    server.use(
      answering(url, json({ error: "invalid_tenant", error_description: "AADSTS90002" }, 400), json({}, 503))
        .handler,
    );
    expect(await partnerCenter.tenantIdOfDomain("contoso.example")).toBeNull();
    expect(await failureOf(partnerCenter.tenantIdOfDomain("contoso.example"))).toMatchObject({
      kind: "transient",
    });
  });
});

describe("users", () => {
  const user = {
    usageLocation: "IN",
    userPrincipalName: "asha@contoso.onmicrosoft.com",
    firstName: "Asha",
    lastName: "Rao",
    displayName: "Asha Rao",
    password: "Chosen-1!",
    forceChangePassword: false,
  };

  test("are created with the chosen password", async () => {
    const sent = on(`/v1/customers/${tenant}/users`, json({ id: "u-1" }, 201));
    expect(await partnerCenter.createUser(tenant, user, requestId)).toEqual({
      outcome: "created",
      userId: "u-1",
    });
    const { password, forceChangePassword, ...rest } = user;
    expect(sent).toMatchObject([{ method: "POST", headers: writeHeaders }]);
    expect(sent[0]?.body).toEqual({ ...rest, passwordProfile: { password, forceChangePassword } });
  });

  test.each([
    ["409", json({ code: 1, description: "Conflict" }, 409)],
    [
      "400 in words",
      json(
        {
          code: 3,
          description: "Another object with the same value for property userPrincipalName already exists.",
        },
        400,
      ),
    ],
  ])("that exist are told apart (%s) and found by name", async (_name, reply) => {
    on(
      `/v1/customers/${tenant}/users`,
      reply,
      json({ items: [{ id: "u-0" }, { id: "u-1", userPrincipalName: "Asha@contoso.onmicrosoft.com" }] }),
    );
    expect(await partnerCenter.createUser(tenant, user, requestId)).toEqual({ outcome: "exists" });
    expect(await partnerCenter.findUser(tenant, user.userPrincipalName)).toEqual({ userId: "u-1" });
    expect(await partnerCenter.findUser(tenant, "nobody@contoso.onmicrosoft.com")).toBeNull();
  });

  test("a refused password is never repeated in the error", async () => {
    on(`/v1/customers/${tenant}/users`, json({ code: 9, description: "Chosen-1! is too weak" }, 400));
    const error = await failureOf(partnerCenter.createUser(tenant, user, requestId));
    expect(error).toMatchObject({ kind: "refused", code: "9", description: "*** is too weak" });
    expect(error.message).not.toContain("Chosen-1!");
  });

  test("get a new password", async () => {
    const sent = on(`/v1/customers/${tenant}/users/u-1`, json({ id: "u-1" }));
    await partnerCenter.setUserPassword(tenant, "u-1", "Chosen-2!", requestId);
    expect(sent).toMatchObject([
      {
        method: "PATCH",
        headers: writeHeaders,
        body: { passwordProfile: { password: "Chosen-2!", forceChangePassword: false } },
      },
    ]);
  });

  const member = { userId: "u-1", displayName: "Asha Rao", userPrincipalName: user.userPrincipalName };

  test.each([
    ["is given", json({}, 201)],
    ["was given before", json({ code: 1, description: "Already exists" }, 409)],
  ])("the administrator's role %s", async (_name, reply) => {
    server.use(
      answering(
        `${api}/v1/customers/${tenant}/directoryroles`,
        json({
          items: [
            { id: "r-0", name: "Helpdesk" },
            { id: "r-1", name: "Company Administrator" },
          ],
        }),
      ).handler,
    );
    const sent = on(`/v1/customers/${tenant}/directoryroles/r-1/usermembers`, reply);
    await partnerCenter.assignAdminRole(tenant, member, requestId);
    expect(sent).toMatchObject([{ method: "POST", headers: writeHeaders }]);
    expect(sent[0]?.body).toEqual({
      Id: "u-1",
      DisplayName: "Asha Rao",
      UserPrincipalName: user.userPrincipalName,
      Attributes: { ObjectType: "UserMember" },
    });
  });

  test("a tenant without the role is a refusal", async () => {
    on(`/v1/customers/${tenant}/directoryroles`, json({ items: [] }));
    const error = await failureOf(partnerCenter.assignAdminRole(tenant, member, requestId));
    expect(error).toMatchObject({ kind: "refused", code: "no_such_role" });
  });
});

describe("ordering", () => {
  const availability = {
    id: "AV1",
    catalogItemId: "P:S:AV1",
    defaultCurrency: { code: "INR", symbol: "Rs" },
    segment: "commercial",
    country: "IN",
    isPurchasable: true,
    terms: [{ duration: "P1Y", description: "One year" }],
  };

  test("finds the availability that is sold, commercial and of the term", async () => {
    const sent = on(
      "/v1/products/P/skus/S/availabilities",
      json({
        items: [
          { ...availability, id: "a", isPurchasable: false },
          { ...availability, id: "b", segment: "education" },
          { ...availability, id: "c", terms: [{ duration: "P1M" }] },
          availability,
        ],
      }),
    );
    expect(await partnerCenter.findAvailability("P", "S", "IN", "P1Y")).toEqual({
      catalogItemId: "P:S:AV1",
      availabilityId: "AV1",
      currency: "INR",
    });
    expect(sent[0]?.query).toEqual({ country: "IN" });
    on("/v1/products/P/skus/S/availabilities", json({ items: [] }));
    const error = await failureOf(partnerCenter.findAvailability("P", "S", "IN", "P1M"));
    expect(error).toMatchObject({ kind: "refused", code: "no_availability" });
  });

  const carts = `/v1/customers/${tenant}/carts`;
  const line = {
    catalogItemId: "P:S:AV1",
    quantity: 25,
    billingCycle: "annual",
    termDuration: "P1Y",
  } as const;

  test("makes a cart, an add-on naming its parent", async () => {
    const sent = on(carts, json({ id: "cart-1", lineItems: [{ id: 0, error: null }, { id: 1 }] }, 201));
    const lines = [line, { ...line, parentSubscriptionId: "sub-0" }];
    expect(await partnerCenter.createCart(tenant, lines, requestId)).toEqual({ cartId: "cart-1" });
    expect(sent).toMatchObject([{ method: "POST", headers: writeHeaders }]);
    expect(sent[0]?.body).toEqual({
      PartnerOnRecordAttestationAccepted: true,
      lineItems: [
        { id: 0, ...line },
        { id: 1, ...line, provisioningContext: { parentSubscriptionId: "sub-0" } },
      ],
    });
  });

  test.each([
    [{ code: 2002, description: "Quantity out of range" }, "2002", "Quantity out of range"],
    ["Not sold here", "cart_line", "Not sold here"],
  ])("refuses a cart with the line error %j, despite the 201", async (error, code, description) => {
    on(carts, json({ id: "cart-1", lineItems: [{ id: 0 }, { id: 1, error }] }, 201));
    expect(await failureOf(partnerCenter.createCart(tenant, [line], requestId))).toMatchObject({
      kind: "refused",
      status: 201,
      code,
      description,
    });
  });

  const checkout = `${carts}/cart-1/checkout`;
  const order = {
    id: "ord-1",
    status: "pending",
    currencyCode: "INR",
    lineItems: [
      { lineItemNumber: 0, offerId: "P:S:AV1", subscriptionId: "sub-1", quantity: 25, termDuration: "P1Y" },
    ],
  };
  const readOrder = {
    id: "ord-1",
    lineItems: [{ offerId: "P:S:AV1", subscriptionId: "sub-1", quantity: 25, termDuration: "P1Y" }],
  };

  test("checks out with an empty body", async () => {
    const sent = on(checkout, json({ orders: [order], orderErrors: [] }, 201));
    expect(await partnerCenter.checkoutCart(tenant, "cart-1", requestId)).toEqual({ orders: [readOrder] });
    expect(sent).toMatchObject([{ method: "POST", body: "", headers: { "ms-requestid": requestId } }]);
  });

  test("reads the order errors despite the 201", async () => {
    on(
      checkout,
      json(
        { orders: [order], orderErrors: [{ orderGroupId: "0", code: 800067, description: "Seat cap" }] },
        201,
      ),
    );
    expect(await failureOf(partnerCenter.checkoutCart(tenant, "cart-1", requestId))).toMatchObject({
      kind: "refused",
      code: "800067",
      description: "Seat cap",
    });
  });

  test("does not take an empty success for a purchase", async () => {
    on(checkout, json({ orders: [] }, 201));
    expect(await failureOf(partnerCenter.checkoutCart(tenant, "cart-1", requestId))).toMatchObject({
      code: "unexpected_answer",
    });
  });

  test("waits for an order that is not there yet, and for its subscription", async () => {
    const [item] = order.lineItems;
    on(
      `/v1/customers/${tenant}/orders/ord-1`,
      json({ code: 20000, description: "Not found" }, 404),
      json({ ...order, lineItems: [{ ...item, subscriptionId: null }] }),
      json(order),
    );
    expect(await failureOf(partnerCenter.getOrder(tenant, "ord-1"))).toMatchObject({
      kind: "transient",
      code: "20000",
    });
    expect((await partnerCenter.getOrder(tenant, "ord-1")).lineItems[0]?.subscriptionId).toBeNull();
    expect(await partnerCenter.getOrder(tenant, "ord-1")).toEqual(readOrder);
  });

  test("does not wait for an order of an unknown customer", async () => {
    on(`/v1/customers/${tenant}/orders/ord-1`, json({ code: 2000, description: "No" }, 404));
    expect(await failureOf(partnerCenter.getOrder(tenant, "ord-1"))).toMatchObject({ kind: "refused" });
  });
});

describe("subscriptions", () => {
  const url = `/v1/customers/${tenant}/subscriptions/sub-1`;
  const schedule = { product: { productId: "P" }, quantity: 25 };
  const subscription: PartnerSubscription = {
    id: "sub-1",
    quantity: 25,
    status: "active",
    autoRenewEnabled: true,
    commitmentEndDate: "2027-11-20T00:00:00Z",
    refundableQuantity: { totalQuantity: 25 },
    scheduledNextTermInstructions: schedule,
    somethingNew: { kept: true },
    attributes: { etag: "e-1", objectType: "Subscription" },
  };

  test("are read whole, unknown fields included", async () => {
    on(url, json(subscription));
    expect(await partnerCenter.getSubscription(tenant, "sub-1")).toEqual(subscription);
    on(`/v1/customers/${tenant}/subscriptions`, json({ totalCount: 1, items: [subscription] }));
    expect(await partnerCenter.listSubscriptions(tenant)).toEqual([subscription]);
  });

  test("are changed as the whole resource, with its etag", async () => {
    const sent = on(url, json({ ...subscription, quantity: 30 }));
    const result = await partnerCenter.updateSubscription(tenant, subscription, { quantity: 30 }, requestId);
    expect(result).toEqual({ outcome: "updated", subscription: { ...subscription, quantity: 30 } });
    expect(sent).toMatchObject([{ method: "PATCH", headers: { ...writeHeaders, "if-match": "e-1" } }]);
    expect(sent[0]?.body).toEqual({ ...subscription, quantity: 30 });
  });

  test("may take their time", async () => {
    on(url, json({}, 202, { location: "/v1/operations/1" }));
    const result = await partnerCenter.updateSubscription(
      tenant,
      subscription,
      { status: "deleted" },
      requestId,
    );
    expect(result).toEqual({ outcome: "pending", location: "/v1/operations/1" });
  });

  test.each([
    [2055, 412, "transient"],
    [900278, 409, "transient"],
    [800090, 400, "refused"],
    [2002, 400, "refused"],
  ])("a change answered %i is %s", async (code, status, kind) => {
    on(url, json({ code, description: "No" }, status));
    const change = partnerCenter.updateSubscription(tenant, subscription, { quantity: 1 }, requestId);
    expect(await failureOf(change)).toMatchObject({ kind, status, code: String(code) });
  });
});
