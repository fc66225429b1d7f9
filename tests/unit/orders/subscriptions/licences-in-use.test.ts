/** Suggestions of fewer licences, and the matching of Microsoft's counts to the store's plans. */
import { describe, expect, it } from "vitest";
import { licencesInUseOf } from "#server/catalogue/families/microsoft/licences.ts";
import { suggestFewerLicences } from "#server/orders/subscriptions/licences-in-use.ts";

describe("the suggestion of fewer licences", () => {
  it.each([
    [40, { assigned: 31, of: 40 }, 31],
    [40, { assigned: 40, of: 40 }, null],
    [40, { assigned: 44, of: 40 }, null],
    // A renewal with 0 licences would end the subscription.
    [40, { assigned: 0, of: 40 }, null],
    // The vendor's count includes another subscription.
    [40, { assigned: 31, of: 60 }, null],
    [40, null, null],
  ])("suggests from %d licences with %j: %j", (quantity, inUse, expected) => {
    expect(suggestFewerLicences({ quantity }, inUse)).toBe(expected);
  });
});

describe("Microsoft's count of a product", () => {
  const pool = (partNumber: string, name: string, active = 10) => ({ partNumber, name, active, consumed: 4 });

  it.each([
    ["Microsoft 365 Business Standard", pool("O365_BUSINESS_PREMIUM", "Office 365 Business Premium")],
    ["Microsoft Teams Essentials", pool("Teams_Ess", "Microsoft Teams Essentials")],
    // An unknown part number, with the name of the catalogue.
    ["Exchange Online (Plan 1)", pool("EXCHANGE_NEW", "Exchange Online (Plan 1)")],
  ])("finds %s as %j", (title, found) => {
    expect(licencesInUseOf([pool("SPB", "Microsoft 365 Business Premium", 3), found], title)).toEqual({
      assigned: 4,
      of: 10,
    });
  });

  it("stays unknown for another product, and for one without licenses", () => {
    const premium = pool("SPB", "Microsoft 365 Business Premium");
    expect(licencesInUseOf([premium], "Microsoft 365 Business Standard")).toBeNull();
    expect(licencesInUseOf([{ ...premium, active: 0 }], "Microsoft 365 Business Premium")).toBeNull();
  });
});
