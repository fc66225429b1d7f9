/** State of each account's consent: whether there is one, its age, and its user. */
import { findConsent, type PartnerConsent } from "#db/catalogue/partner-consents.ts";
import type { Country, FamilyId } from "#db/tables/enums.ts";
import type { Context } from "#server/platform/context.ts";

const dayMs = 86_400_000;

/** Age from which a new consent is requested: Microsoft ends a token that was not used for 90 days. */
export const oldAfterDays = 60;

/** Family whose orders these accounts fulfil. */
export const consentedFamily: FamilyId = "microsoft";

export interface ConsentStatus {
  country: Country;
  tenant: string;
  /** Null while nobody has consented. */
  consent:
    | (Pick<PartnerConsent, "userName" | "hasMfa" | "obtainedAt" | "lastUsedAt"> & { days: number })
    | null;
}

/** Reads the state of every account, in the order of the countries. */
export function readConsentStatuses(
  { db, env }: Pick<Context, "db" | "env">,
  now = new Date(),
): Promise<ConsentStatus[]> {
  return Promise.all(
    [...env.partnerAccounts].map(async ([country, { tenant }]) => {
      const found = await findConsent(db, { country, tenant });
      if (found === null) return { country, tenant, consent: null };
      const { userName, hasMfa, obtainedAt, lastUsedAt } = found;
      const days = Math.floor((now.getTime() - obtainedAt.getTime()) / dayMs);
      return { country, tenant, consent: { userName, hasMfa, obtainedAt, lastUsedAt, days } };
    }),
  );
}
