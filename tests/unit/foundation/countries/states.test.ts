import { describe, expect, it } from "vitest";
import { brand } from "#server/foundation/brand.ts";
import { findIndianState, indianStates, stateOfGstCode } from "#server/foundation/countries/indian-states.ts";
import {
  countries,
  countryCodes,
  findState,
  subdivisionCode,
} from "#server/foundation/countries/registry.ts";
import { stateChoices } from "#server/foundation/countries/state.ts";
import { msg } from "#server/foundation/languages/text.ts";
import { problemsOf } from "#server/orders/account-rules.ts";

const usStates = countries.US.address.states;

describe("states", () => {
  it("lists each state once", () => {
    expect(indianStates).toHaveLength(36);
    expect(usStates).toHaveLength(51);
    for (const list of [indianStates, usStates]) {
      expect(new Set(list.map((state) => state.abbreviation)).size).toBe(list.length);
      expect(new Set(list.map((state) => state.name)).size).toBe(list.length);
    }
    expect(new Set(indianStates.map((state) => state.gstCode)).size).toBe(indianStates.length);
  });

  it("finds each by name, abbreviation and code", () => {
    for (const country of countryCodes) {
      for (const state of countries[country].address.states) {
        expect(findState(country, state.name.toUpperCase())).toBe(state);
        expect(findState(country, state.abbreviation.toLowerCase())).toBe(state);
      }
    }
    for (const state of indianStates) expect(stateOfGstCode(state.gstCode)).toBe(state);
  });

  it("finds states by the spellings of the register and of people", () => {
    expect(findIndianState("Jammu & Kashmir")?.abbreviation).toBe("JK");
    expect(findIndianState("  tamil   nadu ")?.abbreviation).toBe("TN");
    expect(findIndianState("Orissa")?.name).toBe("Odisha");
    expect(findState("US", "Karnataka")).toBeNull();
    expect(stateOfGstCode("97")).toBeNull();
  });

  it.each(["Other Territory", "other territory", " OTHER  TERRITORY", "OT", "ot"])(
    "refuses the choice %j with a contact address",
    (state) => {
      const choices = stateChoices(countries.IN.address.states, "en", countries.IN.address.unsold);
      expect(choices.at(-1)).toEqual({ value: "Other Territory", label: "Other Territory" });
      const address = { state, pincode: "400001", organisationRegistrationNumber: "AABCB1234C" };
      for (const gst_code of ["", "97AABCB1234C1Z7"])
        expect(problemsOf({ ...address, country: "IN", gst_code })).toEqual({
          state: msg("fields.otherTerritory", { email: brand.supportEmail }),
        });
    },
  );

  it("gives vendors two letters for each state", () => {
    for (const country of countryCodes) {
      const codes = countries[country].address.states.map((state) => subdivisionCode(country, state.name));
      for (const code of codes) expect(code).toMatch(/^[A-Z]{2}$/);
      expect(new Set(codes).size).toBe(codes.length);
    }
    expect(subdivisionCode("IN", "Daman & Diu")).toBe("DH");
    expect(subdivisionCode("US", "Ontario")).toBeNull();
  });

  it("sorts and labels choices in the reader's language, with the same values", () => {
    const english = stateChoices(indianStates, "en");
    const hindi = stateChoices(indianStates, "hi");
    expect(english[0]).toEqual({
      value: "Andaman and Nicobar Islands",
      label: "Andaman and Nicobar Islands",
    });
    expect(hindi[0]).toEqual({ value: "Andaman and Nicobar Islands", label: "अंडमान और निकोबार द्वीपसमूह" });
    expect(hindi.map(({ value }) => value).sort()).toEqual(english.map(({ value }) => value).sort());
    expect(hindi.filter(({ label }) => !/^[\u0900-\u097f ]+$/.test(label))).toEqual([]);
  });
});
