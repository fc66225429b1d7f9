// Google's protocol: requests about a domain, its customer and its administrator, and the handling of responses.
import { describe, expect, test } from "vitest";
import { customerResult, entitlementResult } from "#server/integrations/google.ts";
import { answerer, channelUrl, customerName, directoryUrl, refusal, startGoogle } from "./google-support.ts";
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

  test("sends the name of the domain by POST", async () => {
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
  ])("returns the status of a domain with %s", async (_name, cloudIdentityAccounts, expected) => {
    channel(json({ cloudIdentityAccounts }));
    expect(await google.checkDomain("contoso.example")).toEqual(expected);
  });

  test("reports a failed check as transient instead of free or taken", async () => {
    channel(refusal(503, "UNAVAILABLE"));
    const error = await failureOf(google.checkDomain("contoso.example"));
    expect(error).toMatchObject({ kind: "transient", code: "UNAVAILABLE", status: 503 });
  });
});

describe("a customer call", () => {
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

  test("creates a customer from address and contact", async () => {
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

  test("finds an existing customer by domain, and says that it existed", async () => {
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

  test("reports an existing customer that is not listed yet as transient", async () => {
    channel(refusal(409, "ALREADY_EXISTS"), json({}));
    expect(await failureOf(google.createCustomer(customer))).toMatchObject({
      kind: "transient",
      code: "ALREADY_EXISTS",
    });
  });

  test("finds customers on any page, by their exact domain only", async () => {
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

  test("prefers the customer with a Cloud Identity among two of a domain", async () => {
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

  test("escapes a quotation mark in the filter", async () => {
    const sent = channel(json({}));
    expect(await google.findCustomerByDomain('x" OR domain = "y')).toBeNull();
    expect(sent[0]?.query.filter).toBe('domain = "x\\" OR domain = \\"y"');
  });

  test("stops at an endless list", async () => {
    const sent = channel(json({ nextPageToken: "again" }));
    const error = await failureOf(google.findCustomerByDomain("contoso.example"));
    expect(error).toMatchObject({ kind: "refused", code: "endless_list" });
    expect(sent).toHaveLength(100);
  });

  test("reads a customer by name, and refuses other names", async () => {
    const sent = channel(json({ ...wanted, cloudIdentityId: "C1" }));
    expect(await google.getCustomer(customerName)).toEqual({ ...wanted, cloudIdentityId: "C1" });
    expect(sent).toMatchObject([{ method: "GET", path: `/v1/${customerName}` }]);
    for (const name of ["accounts/a/customers/..", "accounts/a", `${customerName}/entitlements/e`, ""]) {
      await expect(google.getCustomer(name)).rejects.toThrow(RangeError);
    }
  });

  test("creates a Cloud Identity with its first administrator", async () => {
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

describe("an operation", () => {
  test.each([{}, { done: false }, { metadata: { operationType: "CREATE_ENTITLEMENT" } }])(
    "stays pending for %j",
    async (state) => {
      const sent = channel(json({ name: "operations/op-1", ...state }));
      expect(await google.getOperation("operations/op-1", customerResult)).toEqual({ state: "pending" });
      expect(sent).toMatchObject([{ method: "GET", path: "/v1/operations/op-1", headers: signed }]);
    },
  );

  test("returns the provisioned customer", async () => {
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
  ])("fails with code %i: %s, %s", async (code, name, kind) => {
    channel(json({ name: "operations/op-1", done: true, error: { code, message: "No" } }));
    const found = await google.getOperation("operations/op-1", entitlementResult);
    expect(found).toMatchObject({
      state: "failed",
      error: { provider: "google", code: name, kind, status: 200, description: "No" },
    });
  });

  test("redacts the transfer token in its error", async () => {
    channel(
      json({ name: "operations/op-1", done: true, error: { code: 3, message: "Token TOKEN-1 is bad" } }),
    );
    const found = await google.getOperation("operations/op-1", entitlementResult, ["TOKEN-1"]);
    expect(found).toMatchObject({ state: "failed", error: { description: "Token *** is bad" } });
  });

  test("names only the fields of an unexpected response", async () => {
    channel(json({ name: "operations/op-1", done: true, response: { name: "asha@mail.example" } }));
    const error = await failureOf(google.getOperation("operations/op-1", customerResult));
    expect(error).toMatchObject({ kind: "refused", code: "unexpected_answer" });
    expect(error.description).toBe("Unexpected fields: name");
  });

  test("accepts only names of operations", async () => {
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

  test("gets the chosen password after provisioning", async () => {
    const sent = directory(found, json({ id: "1001" }));
    expect(await google.ensureUser(user)).toEqual({ outcome: "updated", userId: "1001" });
    expect(sent).toMatchObject([
      { method: "GET", path: `${users}/admin%40contoso.example`, headers: signed },
      { method: "PUT", path: `${users}/1001`, headers: written },
    ]);
    expect(sent[1]?.body).toEqual({ password: "Ch0sen-one", changePasswordAtNextLogin: false });
  });

  test("gets created if missing", async () => {
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

  test("gets updated if created concurrently", async () => {
    const sent = directory(notFound, exists, found, json({ id: "1001" }));
    expect(await google.ensureUser(user)).toEqual({ outcome: "updated", userId: "1001" });
    expect(sent.map((one) => one.method)).toEqual(["GET", "POST", "GET", "PUT"]);
  });

  test("causes a refusal if another entity has the address", async () => {
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

  test("causes a transient error while its creation is incomplete", async () => {
    directory(json({ error: { code: 412, message: "User creation is not complete." } }, 412));
    expect(await failureOf(google.makeAdmin("1001"))).toMatchObject({ kind: "transient", status: 412 });
  });

  test("distinguishes the Directory API's limit, a 403, from a real 403", async () => {
    const denied = (reason: string) =>
      json({ error: { code: 403, message: "No", status: "PERMISSION_DENIED", errors: [{ reason }] } }, 403);
    directory(denied("userRateLimitExceeded"), denied("forbidden"));
    expect(await failureOf(google.makeAdmin("1001"))).toMatchObject({ kind: "transient", status: 403 });
    expect(await failureOf(google.makeAdmin("1001"))).toMatchObject({
      kind: "refused",
      code: "PERMISSION_DENIED",
    });
  });

  test("keeps the password out of errors", async () => {
    directory(found, refusal(400, "INVALID_ARGUMENT", "Invalid Password: Ch0sen-one"));
    const error = await failureOf(google.ensureUser(user));
    expect(error.description).toBe("Invalid Password: ***");
    expect(JSON.stringify(error) + error.message + String(error.stack)).not.toContain("Ch0sen-one");
  });
});
