/** What a provider says a customer holds, read as ours; anything that a row of ours cannot say is told apart, not bent. */
import { describe, expect, it } from "vitest";
import { readEntitlement } from "#server/families/google/held.ts";
import { readPartnerSubscription } from "#server/families/microsoft/held.ts";
import type { GoogleEntitlement } from "#server/providers/google.ts";
import type { PartnerSubscription } from "#server/providers/partner-center.ts";

const now = new Date("2027-06-01T00:00:00Z");

describe("at Microsoft", () => {
  const subscription: PartnerSubscription = {
    id: "A356AC8C-E310-44F4-BF85-C7F29044AF99",
    offerId: "CFQ7TTC0LDPB:0001:CFQ7TTC0KXG7",
    quantity: 9,
    status: "active",
    termDuration: "P1Y",
    billingCycle: "annual",
    creationDate: "2025-03-01T10:00:00Z",
    effectiveStartDate: "2027-03-01T00:00:00Z",
    commitmentEndDate: "2028-02-29T23:59:59.0000000Z",
    parentSubscriptionId: null,
  };
  const read = (changes: Partial<PartnerSubscription> = {}) =>
    readPartnerSubscription({ ...subscription, ...changes }, now);

  it("a running one is read whole, its sku without the availability", () => {
    expect(read()).toEqual({
      is: "running",
      found: {
        externalId: "A356AC8C-E310-44F4-BF85-C7F29044AF99",
        sku: "CFQ7TTC0LDPB:0001",
        parentExternalId: null,
        quantity: 9,
        term: "P1Y",
        billingCycle: "annual",
        start: new Date("2027-03-01T00:00:00Z"),
        end: new Date("2028-02-29T23:59:59Z"),
      },
    });
  });

  it("an add-on names its parent", () => {
    expect(read({ parentSubscriptionId: "parent" })).toMatchObject({ found: { parentExternalId: "parent" } });
    expect(read({ parentSubscriptionId: "" })).toMatchObject({ found: { parentExternalId: null } });
  });

  it("without an effective start it began when it was made", () => {
    expect(read({ effectiveStartDate: undefined })).toMatchObject({
      found: { start: new Date("2025-03-01T10:00:00Z") },
    });
  });

  it.each(["suspended", "expired", "deleted", "pending", "disabled", ""])("%s is not running", (status) => {
    expect(read({ status })).toEqual({ is: "over" });
  });

  it("one whose commitment has ended is over", () => {
    expect(read({ commitmentEndDate: now.toISOString() })).toEqual({ is: "over" });
  });

  it.each<[Partial<PartnerSubscription>, string]>([
    [{ isTrial: true }, "a trial"],
    [{ quantity: 0 }, "no seats"],
    [{ termDuration: "P3Y" }, "term P3Y"],
    [{ termDuration: null }, "term unknown"],
    [{ billingCycle: "triennial" }, "billed triennial"],
    [{ billingCycle: null }, "billed unknown"],
    [{ commitmentEndDate: null }, "no dates"],
    [{ commitmentEndDate: "soon" }, "no dates"],
    [{ effectiveStartDate: null, creationDate: null }, "no dates"],
    [{ effectiveStartDate: "2029-01-01T00:00:00Z" }, "no dates"],
  ])("%j is unlike ours", (changes, why) => {
    expect(read(changes)).toEqual({ is: "unlike ours", sku: "CFQ7TTC0LDPB:0001", why });
  });

  it.each(["031C9E47-4802-4248-838E-778FB1D2CC05", "", null])("an offer %j of old is no sku", (offerId) => {
    expect(read({ offerId })).toMatchObject({ found: { sku: offerId ?? "" } });
  });
});

describe("at Google", () => {
  const customer = "accounts/C1/customers/S1";
  const entitlement: GoogleEntitlement = {
    name: `${customer}/entitlements/S2`,
    offer: "accounts/C1/offers/o",
    numUnits: 25,
    commitmentStart: "2027-02-28T12:00:00Z",
    commitmentEnd: "2028-02-28T12:00:00Z",
    state: "ACTIVE",
    suspensionReasons: [],
    purchaseOrderId: undefined,
    baseEntitlement: undefined,
    sku: { product: "google-workspace", sku: "GW-BUSINESS-STARTER" },
    renewal: undefined,
  };
  const read = (changes: Partial<GoogleEntitlement> = {}) =>
    readEntitlement({ ...entitlement, ...changes }, "google-workspace", now);

  it("a running commitment is a year, paid at once", () => {
    expect(read()).toEqual({
      is: "running",
      found: {
        externalId: `${customer}/entitlements/S2`,
        sku: "GW-BUSINESS-STARTER",
        parentExternalId: null,
        quantity: 25,
        term: "P1Y",
        billingCycle: "annual",
        start: new Date("2027-02-28T12:00:00Z"),
        end: new Date("2028-02-28T12:00:00Z"),
      },
    });
  });

  it("a leap year is a year", () => {
    const leap = { commitmentStart: "2027-03-01T00:00:00Z", commitmentEnd: "2028-03-01T00:00:00Z" };
    expect(read(leap)).toMatchObject({ is: "running" });
  });

  it("an add-on names its base", () => {
    const base = `${customer}/entitlements/S1`;
    expect(read({ baseEntitlement: base })).toMatchObject({ found: { parentExternalId: base } });
  });

  it.each<[Partial<GoogleEntitlement>]>([
    [{ state: "SUSPENDED" }],
    [{ state: undefined }],
    [{ commitmentStart: "2026-06-01T00:00:00Z", commitmentEnd: "2027-06-01T00:00:00Z" }],
  ])("%j is over", (changes) => {
    expect(read(changes)).toEqual({ is: "over" });
  });

  it.each<[Partial<GoogleEntitlement>, string]>([
    [{ numUnits: undefined }, "no commitment"],
    [{ commitmentEnd: undefined }, "no commitment"],
    [{ commitmentEnd: "2030-02-28T12:00:00Z" }, "1096 days"],
    [{ sku: { product: "google-voice", sku: "GW-BUSINESS-STARTER" } }, "of product google-voice"],
    [{ sku: undefined }, "of product unknown"],
  ])("%j is unlike ours", (changes, why) => {
    expect(read(changes)).toMatchObject({ is: "unlike ours", why });
  });
});
