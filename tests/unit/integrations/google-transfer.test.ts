// Transfer of a Google customer: the calls in order, and the effect of an invalid transfer token on each.
import { describe, expect, test } from "vitest";
import { isTransferTokenRefused, pickYearlyCommitment, transferResult } from "#server/integrations/google.ts";
import { ProviderError } from "#server/integrations/http.ts";
import {
  answerer,
  channelUrl,
  customerName,
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

const account = "/v1/accounts/C0reseller";
const authToken = "TRANSFER-TOKEN-1";
const sku = "products/101047/skus/1010020027";
const imported = { name: customerName, domain: "contoso.example", cloudIdentityId: "C1" };
const year = { duration: 1, periodType: "YEAR" };

test("transfers a customer with all its entitlements", async () => {
  const sent = channel(
    json({ cloudIdentityAccounts: [{ existing: true, customerCloudIdentityId: "C1" }] }),
    json(imported),
    json({
      transferableSkus: [
        {
          sku: { name: sku, marketingInfo: { displayName: "Business Starter" } },
          transferEligibility: { isEligible: true },
        },
      ],
      nextPageToken: "next",
    }),
    json({
      transferableSkus: [
        {
          sku: { name: "products/101047/skus/old" },
          transferEligibility: { ineligibilityReason: "SKU_SUSPENDED" },
        },
      ],
    }),
    json({
      transferableOffers: [
        { offer: { name: "flexible", plan: { paymentPlan: "FLEXIBLE" } } },
        {
          offer: {
            name: offerName,
            sku: { name: sku },
            plan: { paymentPlan: "COMMITMENT", paymentCycle: year },
            parameterDefinitions: [{ name: "num_units", minValue: { int64Value: "20" } }],
          },
        },
      ],
    }),
    json({ name: "operations/op-1" }),
    json({
      name: "operations/op-1",
      done: true,
      response: {
        "@type": "type.googleapis.com/google.cloud.channel.v1.TransferEntitlementsResponse",
        entitlements: [
          { name: entitlementName, parameters: [{ name: "num_units", value: { int64Value: "25" } }] },
        ],
      },
    }),
  );

  const check = await google.checkDomain("contoso.example");
  expect(check).toMatchObject({ status: 2, customerCloudIdentityId: "C1" });
  const cloudIdentityId = check.customerCloudIdentityId ?? "";
  expect(
    await google.importCustomer({ domain: "contoso.example", authToken, overwriteIfExists: true }),
  ).toEqual(imported);
  expect(await google.listTransferableSkus({ cloudIdentityId, authToken })).toEqual([
    { sku, displayName: "Business Starter", isEligible: true, ineligibilityReason: undefined },
    {
      sku: "products/101047/skus/old",
      displayName: undefined,
      isEligible: false,
      ineligibilityReason: "SKU_SUSPENDED",
    },
  ]);
  const offers = await google.listTransferableOffers({ cloudIdentityId, sku });
  const offer = pickYearlyCommitment(offers, sku);
  expect(offer).toMatchObject({ name: offerName, minUnits: 20 });
  const entitlements = [{ offer: offerName, numUnits: 25, purchaseOrderId: "order-1" }];
  const operation = await google.transferEntitlements(customerName, { entitlements, authToken }, requestId);
  expect(operation).toBe("operations/op-1");
  expect(await google.getOperation(operation, transferResult, [authToken])).toMatchObject({
    state: "done",
    response: [{ name: entitlementName, numUnits: 25 }],
  });

  const secondPage = { cloudIdentityId: "C1", authToken, pageToken: "next" };
  expect(sent.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
    {
      method: "POST",
      path: `${account}:checkCloudIdentityAccountsExist`,
      body: { domain: "contoso.example" },
    },
    {
      method: "POST",
      path: `${account}/customers:import`,
      body: { domain: "contoso.example", authToken, overwriteIfExists: true },
    },
    {
      method: "POST",
      path: `${account}:listTransferableSkus`,
      body: { cloudIdentityId: "C1", authToken },
    },
    { method: "POST", path: `${account}:listTransferableSkus`, body: secondPage },
    { method: "POST", path: `${account}:listTransferableOffers`, body: { cloudIdentityId: "C1", sku } },
    {
      method: "POST",
      path: `/v1/${customerName}:transferEntitlements`,
      body: {
        entitlements: [
          {
            offer: offerName,
            parameters: [{ name: "num_units", value: { int64Value: "25" } }],
            commitmentSettings: {
              renewalSettings: {
                enableRenewal: false,
                resizeUnitCount: false,
                paymentPlan: "COMMITMENT",
                paymentCycle: year,
              },
            },
            purchaseOrderId: "order-1",
          },
        ],
        authToken,
        requestId,
      },
    },
    { method: "GET", path: "/v1/operations/op-1", body: "" },
  ]);
});

describe("a bad transfer token", () => {
  const calls = [
    [
      "import",
      () => google.importCustomer({ domain: "contoso.example", authToken, overwriteIfExists: true }),
    ],
    ["transferable SKUs", () => google.listTransferableSkus({ cloudIdentityId: "C1", authToken })],
    ["transfer", () => google.transferEntitlements(customerName, { entitlements: [], authToken }, requestId)],
  ] as const;

  test.each(calls)("causes a recognisable error at %s that does not contain it", async (_name, call) => {
    for (const [status, code] of [
      [400, "INVALID_ARGUMENT"],
      [403, "PERMISSION_DENIED"],
    ] as const) {
      channel(refusal(status, code, `Token ${authToken} is invalid or expired`));
      const error = await failureOf(call());
      expect(isTransferTokenRefused(error)).toBe(true);
      expect(error.description).toBe("Token *** is invalid or expired");
      expect(JSON.stringify(error) + error.message + String(error.stack)).not.toContain(authToken);
    }
  });

  test.each([
    [404, "NOT_FOUND"],
    [409, "ALREADY_EXISTS"],
    [400, "FAILED_PRECONDITION"],
    [503, "UNAVAILABLE"],
  ])("differs from the error %i %s", async (status, code) => {
    channel(refusal(status, code));
    const error = await failureOf(google.listTransferableSkus({ cloudIdentityId: "C1", authToken }));
    expect(isTransferTokenRefused(error)).toBe(false);
  });

  test("causes a recognisable error in a failed operation, but in no other error", async () => {
    channel(json({ name: "operations/op-1", done: true, error: { code: 7, message: "No" } }));
    const found = await google.getOperation("operations/op-1", transferResult, [authToken]);
    expect(found.state === "failed" && isTransferTokenRefused(found.error)).toBe(true);
    expect(isTransferTokenRefused(new Error("PERMISSION_DENIED"))).toBe(false);
    const other = new ProviderError("microsoft", "refused", "a call", { code: "PERMISSION_DENIED" });
    expect(isTransferTokenRefused(other)).toBe(false);
  });
});
