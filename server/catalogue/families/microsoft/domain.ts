/** The domain of a new Microsoft tenant: the buyer chooses any prefix that is free. */
import type { Country } from "#db/tables/enums.ts";
import { countries } from "#server/foundation/countries/registry.ts";
import { DomainError } from "#server/foundation/errors.ts";
import { type MessageDescriptor, msg } from "#server/foundation/languages/text.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { limitDomainLookUps } from "../domain-look-ups.ts";

export const microsoftSuffix = ".onmicrosoft.com";
/** The sign-in form and its script use the same pattern (app/forms/prefix-pattern.ts). */
export const prefixPattern = /^[a-z0-9]{1,27}$/;

/** Extracts the prefix from a tenant's name as entered, with or without the suffix, in any case. */
export function prefixOf(tenantName: string): string {
  return tenantName
    .trim()
    .toLowerCase()
    .replace(/\.onmicrosoft\.com$/, "");
}

/**
 * Asks Microsoft whether a domain prefix is free, for the form and for the API call.
 * @throws DomainError rate_limited; ProviderError when Microsoft does not respond
 */
export async function isPrefixAvailable(
  context: Context,
  prefix: string,
  country: Country,
  clientAddress: string,
): Promise<boolean> {
  await limitDomainLookUps(context.db, clientAddress);
  return context.partnerCenterOf(country).isDomainAvailable(`${prefix}${microsoftSuffix}`);
}

/** @throws DomainError bad_request or provider_unavailable, on the field `prefix`; rate_limited */
export async function requireFreePrefix(
  context: Context,
  prefix: string,
  country: Country,
  clientAddress: string,
): Promise<void> {
  const refuse = (code: "bad_request" | "provider_unavailable", message: MessageDescriptor) =>
    new DomainError(code, message, { fields: { prefix: message } });
  const isFree = await isPrefixAvailable(context, prefix, country, clientAddress).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    context.log.warn({ err: error }, "a domain could not be checked");
    throw refuse("provider_unavailable", msg("signIn.domainNotChecked"));
  });
  if (!isFree) throw refuse("bad_request", msg("signIn.prefixTaken"));
}

/**
 * Suggests "acmetools" for "Acme Tools Pvt. Ltd.", which the buyer may change; empty when the name has no Latin letter or digit.
 */
export function suggestPrefix(company: string): string {
  return company
    .toLowerCase()
    .replace(/\b(private|pvt|limited|ltd|llp|inc|llc|corp|corporation|company|co)\b\.?/g, "")
    .replace(/[^a-z0-9]/g, "")
    .slice(0, 27);
}

/** Appended to a prefix that is taken, after the country's own endings. */
const endings = ["hq", "cloud"];

/**
 * Suggests free prefixes similar to the company's name, the closest first.
 * @throws DomainError rate_limited; ProviderError when Microsoft does not respond
 */
export async function suggestFreePrefixes(
  context: Context,
  company: string,
  country: Country,
  clientAddress: string,
): Promise<string[]> {
  const base = suggestPrefix(company);
  if (base === "") return [];
  const wanted = ["", ...countries[country].tenantEndings, ...endings].map(
    (ending) => `${base.slice(0, 27 - ending.length)}${ending}`,
  );
  const free = await Promise.all(
    wanted.map((prefix) => isPrefixAvailable(context, prefix, country, clientAddress)),
  );
  return [...new Set(wanted.filter((_prefix, index) => free[index]))];
}
