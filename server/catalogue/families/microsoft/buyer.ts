/**
 * Checks before the payment whether Microsoft would refuse a buyer's details when the tenant is created
 * (docs/decisions/catalogue.md#checks-before-payment).
 */

import type { AccountAnswers, PlaceOfBusiness } from "#db/orders/order.ts";
import type { Country } from "#db/tables/enums.ts";
import {
  countries,
  localisedCountryText,
  stateOfVendor,
  subdivisionCode,
} from "#server/foundation/countries/registry.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { withoutPlaceholder } from "#server/foundation/placeholders.ts";
import type { AddressValidation, CountryRules, PartnerCenter } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import { answerInTime } from "../answer-or-null.ts";
import type { BuyerCheckResult } from "../family.ts";

export async function checkBuyer(context: Context, account: AccountAnswers): Promise<BuyerCheckResult> {
  const partnerCenter = context.partnerCenterOf(account.country);
  const [rules, address] = await Promise.all([
    answerInTime(context, "what are the country's rules?", rulesOf(partnerCenter, account.country)),
    answerInTime(context, "is this an address?", partnerCenter.checkAddress(addressOf(account))),
  ]);
  const fields = {
    ...(rules !== null && brokenRules(rules, account)),
    ...(address?.status === "unknown" && unknownFields(address, account.country)),
  };
  if (Object.keys(fields).length > 0) return { verdict: "refused", fields };
  if (address?.status !== "unsure") return { verdict: "accepted" };
  return { verdict: "suggestions", suggestions: address.suggestions.map((found) => placeOf(found, account)) };
}

const dayMs = 24 * 3_600_000;

/** Rules change rarely, so each process reads them once a day. */
const kept = new WeakMap<PartnerCenter, Map<Country, { rules: CountryRules; until: number }>>();

async function rulesOf(partnerCenter: PartnerCenter, country: Country): Promise<CountryRules> {
  const known = kept.get(partnerCenter) ?? new Map<Country, { rules: CountryRules; until: number }>();
  kept.set(partnerCenter, known);
  const found = known.get(country);
  if (found !== undefined && found.until > Date.now()) return found.rules;
  const rules = await partnerCenter.countryRules(country);
  known.set(country, { rules, until: Date.now() + dayMs });
  return rules;
}

function brokenRules(rules: CountryRules, account: AccountAnswers): Record<string, MessageDescriptor> {
  const { country, state, pincode, phoneNumber } = account;
  const names = [state, subdivisionCode(country, state) ?? state].map((name) => name.toLowerCase());
  return {
    ...(rules.states.length > 0 &&
      !rules.states.some((one) => names.includes(one.toLowerCase())) && {
        state: msg("families.wrongState"),
      }),
    ...(rules.postalCode?.test(pincode) === false && {
      pincode: msg("families.wrongNumber", { number: localisedCountryText(country, "postcodeInSentence") }),
    }),
    ...(rules.phoneNumber?.test(phoneNumber) === false && { phoneNumber: msg("families.wrongPhone") }),
    ...(rules.takesRegistrationNumber &&
      countries[country].registration.vendorNumber(account) === null && {
        organisationRegistrationNumber: countries[country].registration.isGst
          ? msg("families.panNeeded")
          : msg("families.wrongNumber", { number: localisedCountryText(country, "registrationInSentence") }),
      }),
  };
}

/** Maps Microsoft's names of an address's fields to ours. */
const fieldNames: ReadonlyMap<string, keyof PlaceOfBusiness> = new Map([
  ["addressline1", "addressLine1"],
  ["addressline2", "addressLine2"],
  ["city", "city"],
  ["region", "state"],
  ["state", "state"],
  ["postalcode", "pincode"],
]);

function unknownFields(
  { wrongFields }: AddressValidation,
  country: Country,
): Record<string, MessageDescriptor> {
  const toCheck: Record<keyof PlaceOfBusiness, MessageDescriptor> = {
    addressLine1: msg("families.checkStreet"),
    addressLine2: msg("families.checkSecondLine"),
    city: msg("families.checkCity"),
    state: msg("families.checkState"),
    pincode: msg("families.checkPostcode", { postcode: localisedCountryText(country, "postcodeInSentence") }),
  };
  const named = wrongFields.flatMap((name) => fieldNames.get(name.toLowerCase()) ?? []);
  const wrong: readonly (keyof PlaceOfBusiness)[] =
    named.length > 0 ? named : ["addressLine1", "city", "pincode"];
  return Object.fromEntries(wrong.map((field) => [field, toCheck[field]]));
}

function addressOf({ addressLine1, addressLine2, city, state, pincode, country }: AccountAnswers) {
  return {
    addressLine1,
    addressLine2: withoutPlaceholder(addressLine2) || city,
    city,
    state: subdivisionCode(country, state) ?? state,
    postalCode: pincode,
    country,
  };
}

function placeOf(
  found: AddressValidation["suggestions"][number],
  { country, addressLine2 }: AccountAnswers,
): PlaceOfBusiness {
  return {
    addressLine1: found.addressLine1,
    // We send the city as the second line if the buyer gave none.
    addressLine2: found.addressLine2 === found.city && addressLine2 === "" ? "" : (found.addressLine2 ?? ""),
    city: found.city,
    state: stateOfVendor(country, found.state)?.name ?? found.state,
    pincode: found.postalCode,
  };
}
