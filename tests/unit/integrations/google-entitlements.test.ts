// Google's protocol: requests about offers and entitlements, and the handling of responses and errors.
import { describe, expect, test } from "vitest";
import { entitlementResult } from "#server/integrations/google.ts";
import type { ProviderCall } from "#server/integrations/http.ts";
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

const operation = json({ name: "operations/op-1", done: false });
const signed = { authorization: "Bearer access-1" };
const written = { ...signed, "content-type": "application/json" };

describe("an offer call", () => {
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

  test("picks the yearly commitment from all pages", async () => {
    const sent = channel(
      json({
        ...offers(
          { name: "flexible", plan: { paymentPlan: "FLEXIBLE", paymentCycle: month } },
          commitment("monthly", month),
          commitment("deal", year, { dealCode: "D" }),
          commitment("another country", year, {
            constraints: { customerConstraints: { allowedRegions: ["US"] } },
          }),
          commitment("promotion", year, {
            constraints: { customerConstraints: { promotionalOrderTypes: ["PROMOTION_SWITCH"] } },
          }),
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
    expect(await google.findOffer(customerName, sku, "IN")).toEqual({
      name: offerName,
      sku: "products/101047/skus/1010020027",
      paymentPlan: "COMMITMENT",
      paymentCycle: year,
      hasTrial: false,
      dealCode: undefined,
      minUnits: 1,
      maxUnits: 300,
      regions: [],
      isPromotional: false,
      price: undefined,
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

  test("falls back to a yearly commitment with monthly billing", async () => {
    channel(json(offers(commitment("monthly", month))));
    expect(await google.findOffer(customerName, sku, "IN")).toMatchObject({
      name: "monthly",
      paymentCycle: month,
    });
  });

  test("lists the account's offers by product and SKU, page by page, without a customer", async () => {
    const sent = channel(
      json({ offers: [commitment("yearly", year)], nextPageToken: "next" }),
      json({ offers: [commitment("monthly", month)] }),
    );
    expect((await google.listOffers(sku)).map(({ name }) => name)).toEqual(["yearly", "monthly"]);
    expect(sent).toMatchObject([
      {
        method: "GET",
        path: expect.stringMatching(/^\/v1\/accounts\/[^/]+\/offers$/),
        query: {
          filter: "sku.product.name=products/101047 AND sku.name=products/101047/skus/1010020027",
        },
      },
      { query: { pageToken: "next" } },
    ]);
  });

  test("refuses when no offer fits", async () => {
    channel(json(offers({ name: "flexible", plan: { paymentPlan: "FLEXIBLE" } })), json({}));
    for (const _time of [1, 2]) {
      expect(await failureOf(google.findOffer(customerName, sku, "IN"))).toMatchObject({
        kind: "refused",
        code: "no_offer",
      });
    }
  });
});

describe("an entitlement call", () => {
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
    assignedUnits: 3,
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

  test("buys a commitment of seats under the stored request id", async () => {
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

  test("sends an add-on's base entitlement and its renewal settings", async () => {
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

  test("repeats the request id in a retry", async () => {
    const sent = channel(refusal(503, "UNAVAILABLE"), operation);
    const order = { offer: offerName, numUnits: 20, purchaseOrderId: "order-1" };
    await failureOf(google.createEntitlement(customerName, order, requestId));
    await google.createEntitlement(customerName, order, requestId);
    expect(sent[1]?.body).toEqual(sent[0]?.body);
  });

  test("reads seats and end from the finished operation", async () => {
    channel(json({ name: "operations/op-1", done: true, response: stored }));
    expect(await google.getOperation("operations/op-1", entitlementResult)).toEqual({
      state: "done",
      response: entitlement,
    });
  });

  test("reads an entitlement by name, and lists them over all pages", async () => {
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

  test("adds seats", async () => {
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

  test("reports Google's refusal of fewer seats than the commitment", async () => {
    channel(refusal(400, "INVALID_ARGUMENT"));
    const error = await failureOf(google.changeParameters(entitlementName, 2, requestId));
    expect(error).toMatchObject({ kind: "refused", code: "INVALID_ARGUMENT" });
  });

  test("enables renewal", async () => {
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

  test("refuses invalid request ids, seat counts and names without a request", async () => {
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

describe("an error", () => {
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
  ])("maps %i %s to %s", async (status, code, kind) => {
    channel(refusal(status, code));
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({
      provider: "google",
      status,
      code,
      kind,
      description: "No",
    });
  });

  test("falls back to the status without a JSON body", async () => {
    channel(() => new Response("<html>Bad gateway", { status: 502 }));
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({
      kind: "transient",
      status: 502,
    });
  });

  test("reads the waiting time from the header or the details", async () => {
    const limited = refusal(429, "RESOURCE_EXHAUSTED", "Quota", [
      { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "RATE_LIMIT_EXCEEDED" },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "29.5s" },
    ]);
    channel(limited, json({ error: { status: "UNAVAILABLE" } }, 503, { "retry-after": "7" }));
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({ retryAfterSeconds: 30 });
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({ retryAfterSeconds: 7 });
  });

  test("redacts the access token", async () => {
    channel(refusal(403, "PERMISSION_DENIED", "Token access-1 lacks a scope"));
    const error = await failureOf(google.getCustomer(customerName));
    expect(error.description).toBe("Token *** lacks a scope");
  });

  test("reports a success of another shape as an unexpected answer", async () => {
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

  test("reports a redirect without following it", async () => {
    channel(() => new Response(null, { status: 302, headers: { location: "https://elsewhere.test/" } }));
    expect(await failureOf(google.getCustomer(customerName))).toMatchObject({ kind: "refused", status: 302 });
  });
});
