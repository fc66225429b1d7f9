// Partner Center's protocol: requests about customers, their agreement, tenant and users, and the handling of responses.
import { describe, expect, test } from "vitest";
import {
  api,
  empty,
  guid,
  login,
  requestId,
  startPartnerCenter,
  tenant,
  writeHeaders,
} from "./partner-center-support.ts";
import { answering, failureOf, json } from "./support.ts";

const { server, partnerCenter, on } = startPartnerCenter();

describe("a customer call", () => {
  test.each([
    [404, true],
    [200, false],
  ])("reads %i as a domain that is free: %s", async (status, free) => {
    const sent = on("/v1/domains/contoso.onmicrosoft.com", empty(status));
    expect(await partnerCenter.isDomainAvailable("contoso.onmicrosoft.com")).toBe(free);
    expect(sent).toMatchObject([
      { method: "HEAD", headers: { "ms-requestid": expect.stringMatching(guid) } },
    ]);
  });

  test("reports a failed domain check as transient instead of free or taken", async () => {
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

  test("creates a customer with company and billing profile", async () => {
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
      enableGDAPByDefault: true,
      companyProfile: { domain, organizationRegistrationNumber },
      billingProfile: { ...billing, defaultAddress: address },
    });
  });

  test("repeats the request id in a retry, with another correlation id", async () => {
    const sent = on("/v1/customers", json({}, 500));
    await failureOf(partnerCenter.createCustomer(customer, requestId));
    await failureOf(partnerCenter.createCustomer(customer, requestId));
    expect(sent.map((one) => one.headers["ms-requestid"])).toEqual([requestId, requestId]);
    expect(new Set(sent.map((one) => one.headers["ms-correlationid"])).size).toBe(2);
  });

  test("finds customers by their exact domain only", async () => {
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
  ])("reads the relationship: %s", async (_name, reply, relationship) => {
    on(`/v1/customers/${tenant}`, reply);
    expect(await partnerCenter.getRelationship(tenant)).toBe(relationship);
  });

  test("reports another 403 as a refusal", async () => {
    on(`/v1/customers/${tenant}`, json({ code: "1000", description: "No" }, 403));
    expect(await failureOf(partnerCenter.getRelationship(tenant))).toMatchObject({
      kind: "refused",
      code: "1000",
    });
  });

  test("returns the approval link, and refuses a script", async () => {
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
  const accepted = { contact, templateId: null, dateAgreed: new Date("2026-11-20T10:00:00Z") };

  function templates() {
    const { handler, sent } = answering(
      `${api}/v1/agreements`,
      json({
        items: [
          { templateId: "old", versionRank: 0 },
          { templateId: "new", versionRank: 1, agreementLink: "https://agreement.example/new" },
        ],
      }),
    );
    server.use(handler);
    return sent;
  }

  test("uses the newest template", async () => {
    const requests = templates();
    const sent = on(`/v1/customers/${tenant}/agreements`, json({}, 201));
    await partnerCenter.ensureAgreement(tenant, accepted, requestId);
    expect(requests[0]?.query).toEqual({ agreementType: "MicrosoftCustomerAgreement" });
    expect(sent).toMatchObject([{ method: "POST", headers: writeHeaders }]);
    expect(sent[0]?.body).toEqual({
      primaryContact: contact,
      templateId: "new",
      dateAgreed: "2026-11-20T10:00:00.000Z",
      type: "MicrosoftCustomerAgreement",
    });
  });

  test("uses the accepted version without fetching the newest", async () => {
    const requests = templates();
    const sent = on(`/v1/customers/${tenant}/agreements`, json({}, 201));
    await partnerCenter.ensureAgreement(tenant, { ...accepted, templateId: "old" }, requestId);
    expect(requests).toEqual([]);
    expect(sent[0]?.body).toMatchObject({ templateId: "old" });
  });

  test("returns the current version, and a temporary address of its document", async () => {
    templates();
    expect(await partnerCenter.currentAgreement()).toEqual({
      version: "new",
      link: "https://agreement.example/new",
    });
    const displayUri = "https://files.example/agreement.pdf?sig=1";
    const sent = on("/v1/agreementtemplates/new/document", json({ displayUri, downloadUri: displayUri }));
    expect(await partnerCenter.agreementDocument("new", "IN")).toBe(displayUri);
    expect(sent[0]?.query).toEqual({ country: "IN", language: "en-US" });
  });

  test("counts as accepted when it exists (600061), but not for another code", async () => {
    templates();
    on(
      `/v1/customers/${tenant}/agreements`,
      json({ code: 600061, description: "Exists" }, 400),
      json({ code: 600999, description: "No" }, 400),
    );
    await partnerCenter.ensureAgreement(tenant, accepted, requestId);
    const again = partnerCenter.ensureAgreement(tenant, accepted, requestId);
    expect(await failureOf(again)).toMatchObject({ kind: "refused", code: "600999" });
  });
});

describe("the tenant of a domain", () => {
  const url = `${login}/contoso.example/v2.0/.well-known/openid-configuration`;

  test("comes from the GUID of the issuer", async () => {
    server.use(answering(url, json({ issuer: `https://login.microsoftonline.com/${tenant}/v2.0` })).handler);
    expect(await partnerCenter.tenantIdOfDomain("contoso.example")).toBe(tenant);
  });

  test("returns null when there is none, and throws when it cannot be determined", async () => {
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

describe("a user call", () => {
  const user = {
    usageLocation: "IN",
    userPrincipalName: "asha@contoso.onmicrosoft.com",
    firstName: "Asha",
    lastName: "Rao",
    displayName: "Asha Rao",
    password: "Chosen-1!",
    forceChangePassword: false,
  };

  test("creates a user with the chosen password", async () => {
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
      "400 with a description",
      json(
        {
          code: 3,
          description: "Another object with the same value for property userPrincipalName already exists.",
        },
        400,
      ),
    ],
  ])("reports an existing user (%s), and finds it by name", async (_name, reply) => {
    on(
      `/v1/customers/${tenant}/users`,
      reply,
      json({ items: [{ id: "u-0" }, { id: "u-1", userPrincipalName: "Asha@contoso.onmicrosoft.com" }] }),
    );
    expect(await partnerCenter.createUser(tenant, user, requestId)).toEqual({ outcome: "exists" });
    expect(await partnerCenter.findUser(tenant, user.userPrincipalName)).toEqual({ userId: "u-1" });
    expect(await partnerCenter.findUser(tenant, "nobody@contoso.onmicrosoft.com")).toBeNull();
  });

  test("redacts a refused password in the error", async () => {
    on(`/v1/customers/${tenant}/users`, json({ code: 9, description: "Chosen-1! is too weak" }, 400));
    const error = await failureOf(partnerCenter.createUser(tenant, user, requestId));
    expect(error).toMatchObject({ kind: "refused", code: "9", description: "*** is too weak" });
    expect(error.message).not.toContain("Chosen-1!");
  });

  test("sets a new password", async () => {
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
    ["created", json({}, 201)],
    ["existing", json({ code: 1, description: "Already exists" }, 409)],
  ])("assigns the administrator's role: %s", async (_name, reply) => {
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

  test("refuses a tenant without the role", async () => {
    on(`/v1/customers/${tenant}/directoryroles`, json({ items: [] }));
    const error = await failureOf(partnerCenter.assignAdminRole(tenant, member, requestId));
    expect(error).toMatchObject({ kind: "refused", code: "no_such_role" });
  });
});
