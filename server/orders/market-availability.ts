/** The countries in which a family's plans are sold: the vendor's settings are complete there, and an account takes payments. */
import type { Country, FamilyId } from "#db/tables/enums.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { isPayableIn } from "#server/catalogue/pricing/payment-methods.ts";
import { countryCodes, localisedCountryText } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import type { Env } from "#server/platform/env.ts";

/** Returns the reason, for the buyer, why a family's plans cannot be ordered in a country; null when they can. */
export function whyNotSold(env: Env, family: FamilyId, country: Country): MessageDescriptor | null {
  if (isSoldIn(env, family, country)) return null;
  const open = countryCodes.filter((code) => isSoldIn(env, family, code));
  const closed = { family: families[family].name, country: localisedCountryText(country, "inSentence") };
  if (open.length === 0) return msg("refusals.notOpen", closed);
  return msg("refusals.notOpenYet", {
    ...closed,
    countries: open.map((code) => localisedCountryText(code, "inSentence")),
  });
}

export function isSoldIn(env: Env, family: FamilyId, country: Country): boolean {
  return families[family].isOpenIn(env, country) && isPayableIn(env, country);
}

/** Requires that a family is sold in a country. @throws DomainError conflict with the reason for the buyer */
export function requireSoldIn(env: Env, family: FamilyId, country: Country): void {
  const closed = whyNotSold(env, family, country);
  if (closed !== null) throw new DomainError("conflict", closed);
}
