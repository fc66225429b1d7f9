// Partner Center's protocol: validations before a customer exists, and the handling of responses.
import { describe, expect, test } from "vitest";
import { startPartnerCenter } from "./partner-center-support.ts";
import { json } from "./support.ts";

const { partnerCenter, on } = startPartnerCenter();

const microsoftWay = {
  addressLine1: "Microsoft Way",
  city: "Redmond",
  state: "WA",
  postalCode: "98052",
  country: "US",
};
const suggested = {
  country: "US",
  city: "Redmond",
  state: "WA",
  addressLine1: "1 Microsoft Way",
  postalCode: "98052-6399",
};

describe("an address", () => {
  test("uses capitalised field names, and returns suggestions", async () => {
    const sent = on(
      "/v1/validations/address",
      json({ originalAddress: {}, suggestedAddresses: [suggested], status: "StreetPartial" }),
    );
    expect(await partnerCenter.checkAddress(microsoftWay)).toMatchObject({
      status: "unsure",
      suggestions: [{ addressLine1: "1 Microsoft Way", addressLine2: undefined, postalCode: "98052-6399" }],
    });
    expect(sent).toMatchObject([
      {
        method: "POST",
        body: {
          AddressLine1: "Microsoft Way",
          City: "Redmond",
          State: "WA",
          PostalCode: "98052",
          Country: "US",
        },
      },
    ]);
  });

  test.each([
    ["VerifiedShippable", "verified"],
    ["Verified", "verified"],
    ["InteractionRequired", "unsure"],
    ["Interaction required", "unsure"],
    ["PremisesPartial", "unsure"],
    ["Multiple", "unsure"],
    ["None", "unknown"],
    ["NotValidated", "unchecked"],
    ["SomethingNew", "unchecked"],
  ])("maps %s to %s", async (status, means) => {
    on("/v1/validations/address", json({ suggestedAddresses: null, status }));
    expect(await partnerCenter.checkAddress(microsoftWay)).toMatchObject({ status: means, suggestions: [] });
  });

  test("names the wrong fields, with three suggestions at most", async () => {
    on(
      "/v1/validations/address",
      json({
        suggestedAddresses: Array(5).fill(suggested),
        status: "None",
        validationMessage: "Address field invalid for property: 'Region', 'PostalCode', 'City'",
      }),
    );
    const { wrongFields, suggestions } = await partnerCenter.checkAddress(microsoftWay);
    expect(wrongFields).toEqual(["Region", "PostalCode", "City"]);
    expect(suggestions).toHaveLength(3);
  });
});

describe("countryRules", () => {
  test("reads a country's rules", async () => {
    const sent = on(
      "/v1/countryvalidationrules/US",
      json({
        iso2Code: "US",
        isStateRequired: true,
        states: { value: ["AK", "AL"] },
        postalCodeRegex: "^\\d{5}(-\\d{4})?$",
        phoneNumberRegex: "^\\d{10}$",
        isRegistrationNumberSupported: false,
      }),
    );
    const rules = await partnerCenter.countryRules("US");
    expect(rules).toMatchObject({ states: ["AK", "AL"], takesRegistrationNumber: false });
    expect(["98052", "98052-6399", "9805"].map((code) => rules.postalCode?.test(code))).toEqual([
      true,
      true,
      false,
    ]);
    expect(sent).toMatchObject([{ method: "GET" }]);
  });

  test("ignores rules that are missing or unreadable", async () => {
    on(
      "/v1/countryvalidationrules/IN",
      json({
        isStateRequired: false,
        states: { value: ["KA"] },
        postalCodeRegex: "(?<",
        phoneNumberRegex: "",
      }),
    );
    expect(await partnerCenter.countryRules("IN")).toEqual({
      states: [],
      postalCode: null,
      phoneNumber: null,
      takesRegistrationNumber: false,
    });
  });
});
