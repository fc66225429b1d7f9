// Partner Center's protocol: requests to order and change subscriptions, and the handling of responses.
import { describe, expect, test } from "vitest";
import type { PartnerSubscription } from "#server/integrations/partner-center.ts";
import { requestId, startPartnerCenter, tenant, writeHeaders } from "./partner-center-support.ts";
import { failureOf, json } from "./support.ts";

const { partnerCenter, on } = startPartnerCenter();

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

  test("finds the available commercial offer with the requested term", async () => {
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
      terms: [{ duration: "P1Y", billingCycle: null }],
    });
    expect(sent[0]?.query).toEqual({ country: "IN" });
    on("/v1/products/P/skus/S/availabilities", json({ items: [] }));
    const error = await failureOf(partnerCenter.findAvailability("P", "S", "IN", "P1M"));
    expect(error).toMatchObject({ kind: "refused", code: "no_availability" });
  });

  const carts = `/v1/customers/${tenant}/carts`;
  // With and without a time zone: Microsoft writes both, and means UTC.
  const cart = {
    id: "cart-1",
    creationTimestamp: "2026-11-22T10:00:00",
    expirationTimestamp: "2026-11-29T10:00:00Z",
  };
  const line = {
    catalogItemId: "P:S:AV1",
    quantity: 25,
    billingCycle: "annual",
    termDuration: "P1Y",
  } as const;

  test("creates a cart and attests each of its lines", async () => {
    const sent = on(carts, json({ ...cart, lineItems: [{ id: 0, error: null }, { id: 1 }] }, 201));
    const lines = [line, { ...line }];
    expect(await partnerCenter.createCart(tenant, lines, requestId)).toEqual({
      cartId: "cart-1",
      createdAt: new Date("2026-11-22T10:00:00Z"),
      expiresAt: new Date("2026-11-29T10:00:00Z"),
    });
    expect(sent).toMatchObject([{ method: "POST", headers: writeHeaders }]);
    expect(sent[0]?.body).toEqual({
      PartnerOnRecordAttestationAccepted: true,
      lineItems: [
        { id: 0, ...line, attestationAccepted: true },
        { id: 1, ...line, attestationAccepted: true },
      ],
    });
  });

  test.each([
    [{ errorCode: 2002, errorDescription: "Quantity out of range" }, "2002", "Quantity out of range"],
    [{ errorDescription: "Not sold here" }, "cart_line", "Not sold here"],
  ])("refuses a cart with the line error %j, despite the 201", async (error, code, description) => {
    on(carts, json({ ...cart, lineItems: [{ id: 0 }, { id: 1, error }] }, 201));
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
    creationDate: "2026-11-22T10:01:00.5Z",
    lineItems: [
      { lineItemNumber: 0, offerId: "P:S:AV1", subscriptionId: "sub-1", quantity: 25, termDuration: "P1Y" },
    ],
  };
  const readOrder = {
    id: "ord-1",
    createdAt: new Date("2026-11-22T10:01:00.500Z"),
    lineItems: [{ offerId: "P:S:AV1", subscriptionId: "sub-1", quantity: 25, termDuration: "P1Y" }],
  };

  test("checks out with an empty body", async () => {
    const sent = on(checkout, json({ orders: [order], orderErrors: [] }, 201));
    expect(await partnerCenter.checkoutCart(tenant, "cart-1", requestId)).toEqual({
      outcome: "ordered",
      order: readOrder,
    });
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

  test("distinguishes a submitted cart from one that is still being processed", async () => {
    on(
      checkout,
      json({ code: 800064, description: "The cart is being processed by another request" }, 409),
      json({ code: 800065, description: "Cannot check out an already submitted cart" }, 400),
    );
    expect(await failureOf(partnerCenter.checkoutCart(tenant, "cart-1", requestId))).toMatchObject({
      kind: "transient",
      code: "800064",
    });
    expect(await partnerCenter.checkoutCart(tenant, "cart-1", requestId)).toEqual({ outcome: "submitted" });
  });

  test("lists the orders of a customer", async () => {
    on(`/v1/customers/${tenant}/orders`, json({ items: [order] }));
    expect(await partnerCenter.listOrders(tenant)).toEqual([readOrder]);
  });

  test("reports an empty success as an unexpected answer", async () => {
    on(checkout, json({ orders: [] }, 201));
    expect(await failureOf(partnerCenter.checkoutCart(tenant, "cart-1", requestId))).toMatchObject({
      code: "unexpected_answer",
    });
  });

  test("retries while the order or its subscription is missing", async () => {
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

  test("reports a refusal for an unknown customer", async () => {
    on(`/v1/customers/${tenant}/orders/ord-1`, json({ code: 2000, description: "No" }, 404));
    expect(await failureOf(partnerCenter.getOrder(tenant, "ord-1"))).toMatchObject({ kind: "refused" });
  });
});

describe("a subscription call", () => {
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

  test("returns the whole resource, unknown fields included", async () => {
    on(url, json(subscription));
    expect(await partnerCenter.getSubscription(tenant, "sub-1")).toEqual(subscription);
    on(`/v1/customers/${tenant}/subscriptions`, json({ totalCount: 1, items: [subscription] }));
    expect(await partnerCenter.listSubscriptions(tenant)).toEqual([subscription]);
  });

  test("sends the whole changed resource with its etag", async () => {
    const sent = on(url, json({ ...subscription, quantity: 30 }));
    const result = await partnerCenter.updateSubscription(tenant, subscription, { quantity: 30 }, requestId);
    expect(result).toEqual({ outcome: "updated", subscription: { ...subscription, quantity: 30 } });
    expect(sent).toMatchObject([{ method: "PATCH", headers: { ...writeHeaders, "if-match": "e-1" } }]);
    expect(sent[0]?.body).toEqual({ ...subscription, quantity: 30 });
  });

  test("reports a pending change with its location", async () => {
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
  ])("maps the error %i with status %s to %s", async (code, status, kind) => {
    on(url, json({ code, description: "No" }, status));
    const change = partnerCenter.updateSubscription(tenant, subscription, { quantity: 1 }, requestId);
    expect(await failureOf(change)).toMatchObject({ kind, status, code: String(code) });
  });
});
