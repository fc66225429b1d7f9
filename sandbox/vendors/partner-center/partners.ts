import { guidOf, isGuid } from "../http-helpers.ts";
import type { Partner } from "../options.ts";
import type { Sandbox } from "../sandbox.ts";

/** A person in the partner's tenant who can sign in. */
export interface PartnerPerson {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** Authentication methods, as in a token. */
  readonly amr: readonly string[];
}

export const partnerPeople: readonly PartnerPerson[] = [
  { id: "agent", name: "Anand Agent", about: "an Admin agent, with a second factor", amr: ["pwd", "mfa"] },
  { id: "no-mfa", name: "Nisha Nofactor", about: "an Admin agent, by password alone", amr: ["pwd"] },
  { id: "stranger", name: "Stella Stranger", about: "signed in to another tenant", amr: ["pwd", "mfa"] },
];

/** @param tenant domain or id */
export function partnerOfTenant(sandbox: Sandbox, tenant: string): Partner | undefined {
  const id = partnerId(tenant);
  return sandbox.options.partners.find((partner) => partnerId(partner.tenant) === id);
}

/** The id of the partner's tenant. */
export function partnerId(tenant: string): string {
  return isGuid(tenant) ? tenant.toLowerCase() : guidOf(tenant.toLowerCase());
}
