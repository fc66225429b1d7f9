/** The partners who sell through the sandbox's Partner Center, one a country, and the people of theirs who can consent. */
import { z } from "zod";
import { guidOf, isGuid } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";

export interface Partner {
  /** Where it may sell, and nowhere else. */
  readonly country: string;
  /** Its own tenant, by its domain. */
  readonly tenant: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Somebody of the partner's who can sign in. */
export interface PartnerPerson {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** How they signed in, as a token says it. */
  readonly amr: readonly string[];
}

export const partnerPeople: readonly PartnerPerson[] = [
  { id: "agent", name: "Anand Agent", about: "an Admin agent, with a second factor", amr: ["pwd", "mfa"] },
  { id: "no-mfa", name: "Nisha Nofactor", about: "an Admin agent, by password alone", amr: ["pwd"] },
  { id: "stranger", name: "Stella Stranger", about: "signed in to another tenant", amr: ["pwd", "mfa"] },
];

/** How Microsoft behaves to partners, as `/control/partner` sets it. Kept in memory only. */
export interface PartnerMode {
  /** False denies every second factor, as if the partner's had stopped to count. */
  readonly mfaCounts: boolean;
  /** How many versions of its customer agreement Microsoft has published. The last is in force. */
  readonly agreementVersions: number;
}
export const defaultPartnerMode: PartnerMode = { mfaCounts: true, agreementVersions: 1 };

export const partnerModeSchema = z.object({
  mfaCounts: z.boolean().optional(),
  agreementVersions: z.int().positive().optional(),
  /** The partner of this country changes its user's password: every refresh token is revoked. */
  revoke: z.string().optional(),
});

/** @param tenant by its domain or its id */
export function partnerOfTenant(sandbox: Sandbox, tenant: string): Partner | undefined {
  const id = partnerId(tenant);
  return sandbox.options.partners.find((partner) => partnerId(partner.tenant) === id);
}

/** The id of the partner's tenant. */
export function partnerId(tenant: string): string {
  return isGuid(tenant) ? tenant.toLowerCase() : guidOf(tenant.toLowerCase());
}
