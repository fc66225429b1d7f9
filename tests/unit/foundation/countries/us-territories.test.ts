/** US mail destinations without sales: refused with a message, by name, code and ZIP code. */
import { describe, expect, test } from "vitest";
import { accountFormSchema } from "#app/forms/account-schema.ts";
import { addressRulesOf } from "#app/forms/address-rules.ts";
import { msg, serializeMessage, translate } from "#server/foundation/languages/text.ts";
import { normaliseTaxAddress, problemsOf } from "#server/orders/account-rules.ts";

const usa = { country: "US", organisationRegistrationNumber: "12-3456789" } as const;
const refusal = (place: string) => msg("fields.notSoldThere", { place });

describe("an address in an unsold territory", () => {
  test.each([
    ["Puerto Rico", "00901", "Puerto Rico"],
    ["PR", "00901", "Puerto Rico"],
    ["pr", "00601", "Puerto Rico"],
    ["Commonwealth of  Puerto Rico", "00979", "Puerto Rico"],
    ["Guam", "96910", "Guam"],
    ["GU", "96931", "Guam"],
    ["VI", "00802", "US Virgin Islands"],
    ["Virgin Islands", "00820", "US Virgin Islands"],
    ["U.S. Virgin Islands", "00820", "US Virgin Islands"],
    ["AS", "96799", "American Samoa"],
    ["Northern Mariana Islands", "96950", "Northern Mariana Islands"],
    ["MP", "96950", "Northern Mariana Islands"],
    ["AA", "34001", "Armed Forces Americas"],
    ["Armed Forces Africa", "09001", "Armed Forces Europe"],
    ["AE", "09012", "Armed Forces Europe"],
    ["AP", "96201", "Armed Forces Pacific"],
    ["FM", "96941", "Micronesia"],
    ["PW", "96940", "Palau"],
    ["UM", "96898", "US Minor Outlying Islands"],
  ])("fails at its state: %s", (state, pincode, place) => {
    const problems = problemsOf({ ...usa, state, pincode });
    expect(problems).toEqual({ state: refusal(place) });
    expect(translate("en", refusal(place))).toBe(`We don't sell to ${place} yet.`);
    expect(translate("hi", refusal(place))).toContain(place);
  });

  test.each([
    ["New York", "09012", "Armed Forces Europe"],
    ["NY", "09801-1234", "Armed Forces Europe"],
    ["California", "96201", "Armed Forces Pacific"],
    ["Florida", "34001", "Armed Forces Americas"],
    ["FL", "00901", "Puerto Rico"],
    ["Hawaii", "96799", "American Samoa"],
    ["HI", "96910", "Guam"],
    ["Texas", "008 02", "US Virgin Islands"],
  ])("fails at its ZIP code, with %s and %s", (state, pincode, place) => {
    expect(problemsOf({ ...usa, state, pincode })).toEqual({ pincode: refusal(place) });
  });

  test.each([
    ["Massachusetts", "02134"],
    ["MA", "00501"],
    ["New Jersey", "07030"],
    ["CT", "06101-0001"],
    ["Hawaii", "96801"],
    ["CA", "96001"],
    ["FL", "34102"],
    ["Rhode Island", "02901"],
  ])("differs from %s %s, whose ZIP code keeps its digits", (state, pincode) => {
    const address = { ...usa, state, pincode };
    expect(problemsOf(address)).toEqual({});
    expect(normaliseTaxAddress(address).pincode).toBe(pincode);
  });
});

test("lists the territories after the states, and refuses them", () => {
  const { states } = addressRulesOf("US", "en");
  expect(states).toHaveLength(51 + 12);
  expect(states.slice(0, 51).at(-1)?.value).toBe("Wyoming");
  for (const { value } of states.slice(51)) {
    const { error } = accountFormSchema.safeParse({ intent: "account", country: "US", state: value });
    const said = error?.issues.filter(({ path }) => path[0] === "state").map(({ message }) => message);
    expect(said).toEqual([serializeMessage(refusal(value))]);
  }
  expect(addressRulesOf("IN", "en").states.map(({ value }) => value)).not.toContain("Guam");
});
