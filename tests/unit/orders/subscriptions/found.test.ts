/** Parses a vendor's subscriptions; reports one that the store cannot represent as unsupported. */
import { describe, expect, it } from "vitest";
import {
  parseEntitlement,
  toVendorSubscription as saidByGoogle,
} from "#server/catalogue/families/google/entitlements.ts";
import {
  parsePartnerSubscription,
  toVendorSubscription as saidByMicrosoft,
} from "#server/catalogue/families/microsoft/subscriptions.ts";
import type { GoogleEntitlement } from "#server/integrations/google.ts";
import type { PartnerSubscription } from "#server/integrations/partner-center.ts";

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
    parsePartnerSubscription({ ...subscription, ...changes }, now);

  it("parses a running subscription, and drops the availability from its SKU", () => {
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

  const cancel = { actionType: "Cancel" };
  const said = (changes: Partial<PartnerSubscription> = {}) =>
    saidByMicrosoft({ ...subscription, ...changes });
  it.each<[Partial<PartnerSubscription>, string]>([
    [{ autoRenewEnabled: false }, "is extended"],
    [{ autoRenewEnabled: true, scheduledActions: [{ ...cancel, scheduleType: "TermEnd" }] }, "renews"],
    [
      { autoRenewEnabled: false, scheduledActions: [{ ...cancel, scheduleType: "CustomDate" }] },
      "is extended",
    ],
    [
      { autoRenewEnabled: false, scheduledActions: [{ actionType: "Transition", scheduleType: "TermEnd" }] },
      "is extended",
    ],
    [{ autoRenewEnabled: false, scheduledActions: [{ ...cancel, scheduleType: "TermEnd" }] }, "ends"],
    // Microsoft's documents use both spellings.
    [{ autoRenewEnabled: false, scheduledActions: [{ ...cancel, scheduledType: "TermEnd" }] }, "ends"],
    [{ scheduledActions: "unknown" }, "is extended"],
  ])("%j: reads that it %s after its term", (changes, atEnd) => {
    expect(said(changes)).toMatchObject({ atEnd });
  });

  it.each([
    ["Active", "active"],
    ["suspended", "suspended"],
    ["disabled", "suspended"],
    ["expired", "expired"],
    ["deleted", "cancelled"],
    ["pending", null],
    ["none", null],
  ])("maps the status %s to %s", (status, state) => {
    expect(said({ status })).toMatchObject({ state, quantity: 9 });
  });

  it("reads the seats of the next term if it renews", () => {
    const scheduledNextTermInstructions = { quantity: 4 };
    expect(said({ autoRenewEnabled: true, scheduledNextTermInstructions }).nextQuantity).toBe(4);
    expect(said({ autoRenewEnabled: false, scheduledNextTermInstructions }).nextQuantity).toBeNull();
  });

  it("refuses a paid extended term as unsupported", () => {
    expect(read({ friendlyName: "Business Standard (Extended Service Term)" })).toMatchObject({
      is: "unsupported",
      why: "a paid extended term",
    });
  });

  it("reads the parent of an add-on", () => {
    expect(read({ parentSubscriptionId: "parent" })).toMatchObject({ found: { parentExternalId: "parent" } });
    expect(read({ parentSubscriptionId: "" })).toMatchObject({ found: { parentExternalId: null } });
  });

  it("uses the creation date without an effective start", () => {
    expect(read({ effectiveStartDate: undefined })).toMatchObject({
      found: { start: new Date("2025-03-01T10:00:00Z") },
    });
  });

  it.each(["suspended", "expired", "deleted", "pending", "disabled", ""])("treats %s as ended", (status) => {
    expect(read({ status })).toEqual({ is: "ended" });
  });

  it("treats a subscription after its commitment as ended", () => {
    expect(read({ commitmentEndDate: now.toISOString() })).toEqual({ is: "ended" });
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
  ])("refuses %j as unsupported", (changes, why) => {
    expect(read(changes)).toEqual({ is: "unsupported", sku: "CFQ7TTC0LDPB:0001", why });
  });

  it.each(["031C9E47-4802-4248-838E-778FB1D2CC05", "", null])(
    "keeps an old offer id %j as the SKU",
    (offerId) => {
      expect(read({ offerId })).toMatchObject({ found: { sku: offerId ?? "" } });
    },
  );
});

describe("at Google", () => {
  const customer = "accounts/C1/customers/S1";
  const entitlement: GoogleEntitlement = {
    name: `${customer}/entitlements/S2`,
    offer: "accounts/C1/offers/o",
    numUnits: 25,
    assignedUnits: 18,
    commitmentStart: "2027-02-28T12:00:00Z",
    commitmentEnd: "2028-02-28T12:00:00Z",
    state: "ACTIVE",
    suspensionReasons: [],
    purchaseOrderId: undefined,
    baseEntitlement: undefined,
    sku: { product: "Google-Apps", sku: "1010020027" },
    renewal: undefined,
  };
  const read = (changes: Partial<GoogleEntitlement> = {}) =>
    parseEntitlement({ ...entitlement, ...changes }, now);

  it("parses a running commitment as a year, paid upfront", () => {
    expect(read()).toEqual({
      is: "running",
      found: {
        externalId: `${customer}/entitlements/S2`,
        sku: "Google-Apps:1010020027",
        parentExternalId: null,
        quantity: 25,
        term: "P1Y",
        billingCycle: "annual",
        start: new Date("2027-02-28T12:00:00Z"),
        end: new Date("2028-02-28T12:00:00Z"),
      },
    });
    const renewal = { enableRenewal: true, resizeUnitCount: true, paymentCycle: undefined };
    expect(saidByGoogle({ ...entitlement, renewal }).atEnd).toBe("renews");
    expect(saidByGoogle(entitlement).atEnd).toBe("ends");
  });

  it.each<[Partial<GoogleEntitlement>, string | null]>([
    [{}, "active"],
    [{ state: "SUSPENDED", suspensionReasons: ["RESELLER_INITIATED"] }, "suspended"],
    [
      { state: "SUSPENDED", suspensionReasons: ["RESELLER_INITIATED", "PENDING_TOS_ACCEPTANCE"] },
      "suspended",
    ],
    [
      { state: "SUSPENDED", suspensionReasons: ["RENEWAL_WITH_TYPE_CANCEL", "PENDING_TOS_ACCEPTANCE"] },
      "expired",
    ],
    [{ state: "SUSPENDED", suspensionReasons: ["RESELLER_INITIATED"] }, "suspended"],
    [{ state: "SUSPENDED", suspensionReasons: ["RENEWAL_WITH_TYPE_CANCEL"] }, "expired"],
    [{ state: "SUSPENDED", suspensionReasons: ["TRIAL_ENDED"] }, "expired"],
    [{ state: "SUSPENDED" }, "suspended"],
    [{ state: undefined }, null],
  ])("%j: maps the state to %s", (changes, state) => {
    expect(saidByGoogle({ ...entitlement, ...changes })).toMatchObject({ state, quantity: 25 });
  });

  it("marks an entitlement that waits only for Google's terms as active and waiting", () => {
    const waiting = { state: "SUSPENDED", suspensionReasons: ["PENDING_TOS_ACCEPTANCE"] };
    expect(saidByGoogle({ ...entitlement, ...waiting })).toMatchObject({
      state: "active",
      waitsForTerms: true,
    });
    expect(saidByGoogle(entitlement)).toMatchObject({ state: "active", waitsForTerms: false });
  });

  it("accepts a leap year as a year", () => {
    const leap = { commitmentStart: "2027-03-01T00:00:00Z", commitmentEnd: "2028-03-01T00:00:00Z" };
    expect(read(leap)).toMatchObject({ is: "running" });
  });

  it("reads the base of an add-on", () => {
    const base = `${customer}/entitlements/S1`;
    expect(read({ baseEntitlement: base })).toMatchObject({ found: { parentExternalId: base } });
  });

  it.each<[Partial<GoogleEntitlement>]>([
    [{ state: "SUSPENDED" }],
    [{ state: undefined }],
    [{ commitmentStart: "2026-06-01T00:00:00Z", commitmentEnd: "2027-06-01T00:00:00Z" }],
  ])("treats %j as ended", (changes) => {
    expect(read(changes)).toEqual({ is: "ended" });
  });

  it.each<[Partial<GoogleEntitlement>, string]>([
    [{ numUnits: undefined }, "no commitment"],
    [{ commitmentEnd: undefined }, "no commitment"],
    [{ commitmentEnd: "2030-02-28T12:00:00Z" }, "1096 days"],
  ])("refuses %j as unsupported", (changes, why) => {
    expect(read(changes)).toMatchObject({ is: "unsupported", why });
  });
});
