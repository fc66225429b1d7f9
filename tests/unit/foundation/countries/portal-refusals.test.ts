/** Readable refusals of the invoice registration portal: the problem, and what to correct. */
import { describe, expect, test } from "vitest";
import { explainRefusal, isForBuyer, needsNewNumber } from "#server/foundation/countries/portal-refusals.ts";
import { english } from "#server/foundation/languages/text.ts";

describe("a refusal", () => {
  test.each([
    ["3028", "3028 : GSTIN is not valid", /doesn't know the buyer's GSTIN/],
    ["3029", "3029 : GSTIN is not active", /cancelled or suspended/],
    ["3039", "3039 : Pincode 400001 is of another state", /pincode isn't in the state/],
    ["2211", "Supplier and recipient GSTIN should not be the same", /is our own/],
    ["2172", "CGST and SGST are not applicable", /kind of tax doesn't match/],
    ["5002", "BuyerDtls.LglNm: Too small", /legal name is too short/],
    ["5002", "The Legal Name field must have 3 characters", /legal name is too short/],
    ["5002", "BuyerDtls.Addr1: Invalid", /address is too short/],
    ["5002", "BuyerDtls.Loc: Too small", /city is too short/],
    ["5002", "SellerDtls.Pin: Invalid", /Our own details/],
    ["5002", "Something new", /It gave this reason: Something new/],
    ["4711", "Try again with the name of the register", /It gave this reason: Try again with the name/],
    ["4711", null, /gave no reason/],
    [null, null, /gave no reason/],
    ["too_old", "It's more than 30 days old", /new number/],
  ])("explains %s, %j", (errorCode, errorWords, words) => {
    expect(english(explainRefusal({ errorCode, errorWords }))).toMatch(words);
  });

  test.each([
    ["3028", "GSTIN is not valid", true],
    ["3029", "GSTIN is not active", true],
    ["2211", "Supplier and recipient", true],
    ["3039", "Pincode", true],
    ["2172", "CGST and SGST", true],
    ["2259", "State", true],
    ["5002", "BuyerDtls.LglNm: Too small", true],
    ["5002", "SellerDtls.Pin: Invalid", false],
    ["2258", "State of the seller", false],
    ["2283", "Already registered", false],
    ["different", "Another document", false],
    ["too_old", "30 days", false],
    ["4711", "Something new", false],
    ["4711", null, false],
  ])("decides whether the buyer can correct %s, %j: %s", (errorCode, errorWords, expected) => {
    expect(isForBuyer({ errorCode, errorWords })).toBe(expected);
  });

  test.each([
    ["too_old", true],
    ["5007", true],
    ["different", true],
    ["3039", false],
    [null, false],
  ])("decides whether %s requires a new number: %s", (errorCode, isNeeded) => {
    expect(needsNewNumber({ errorCode })).toBe(isNeeded);
  });
});
