/** The families on sale. docs/extend/family.md explains how to add another. */
import type { FamilyId } from "#db/tables/enums.ts";
import { languages, perLanguage } from "#server/foundation/languages/language.ts";
import { brio } from "./brio/index.ts";
import type { AdministratorRules, Family, OrderedDomain } from "./family.ts";
import { google } from "./google/index.ts";
import { microsoft } from "./microsoft/index.ts";

export const families: Readonly<Record<FamilyId, Family>> = { microsoft, google, brio };

/** Ids in display order. */
export const familyIds = Object.keys(families).filter(isFamilyId);

/** Family shown when none is chosen. */
export const standardFamily: FamilyId = "microsoft";

export function isFamilyId(text: string): text is FamilyId {
  return Object.hasOwn(families, text);
}

/** Families whose tenants can list their subscriptions. */
export const familiesWithTenants = familyIds.filter((id) => families[id].tenants !== null);

/** Returns the rules by which an administrator approves an order into a tenant of the family; null if none can. */
export function administratorOf(family: FamilyId): AdministratorRules | null {
  return families[family].tenants?.administrator ?? null;
}

/**
 * Returns an order's domain details when the customer already has the domain with us; undefined for a family that is not sold to
 * a domain.
 */
export function domainOfCustomer(family: FamilyId, domain: string): OrderedDomain | undefined {
  return families[family].domain === null ? undefined : { domain, customerType: "existing_customer" };
}

/** Names of all families in each language: "Microsoft 365, Google Workspace and brio". */
export const allNames = perLanguage((language) =>
  new Intl.ListFormat(languages[language].locale).format(familyIds.map((id) => families[id].name)),
);
