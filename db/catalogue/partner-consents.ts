/**
 * What one of a partner's users consented to: that the store calls Partner Center for them. The refresh token is stored as
 * ciphertext and changes with every use.
 */
import type { Country } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface PartnerConsent {
  country: Country;
  /** The partner's tenant as it was set then. A consent for another tenant is none for this one. */
  tenant: string;
  sealedToken: string;
  /** Who consented. */
  userName: string;
  /** Whether they signed in with a second factor. */
  hasMfa: boolean;
  obtainedAt: Date;
  lastUsedAt: Date;
}

/** An account's key in the table, which its ciphertext is bound to. */
export function consentKey(country: Country): string {
  return `partner-center:${country}`;
}

/** The consent for the partner's tenant in a country; null while there is none. */
export async function findConsent(
  db: Db,
  { country, tenant }: Pick<PartnerConsent, "country" | "tenant">,
): Promise<PartnerConsent | null> {
  const row = await db
    .selectFrom("provider_secrets")
    .selectAll()
    .where("provider", "=", consentKey(country))
    .where("issued_for", "=", tenant)
    .executeTakeFirst();
  if (row === undefined || row.obtained_at === null) return null;
  return {
    country,
    tenant,
    sealedToken: row.secret_ciphertext,
    userName: row.user_name ?? "",
    hasMfa: row.has_mfa === true,
    obtainedAt: row.obtained_at,
    lastUsedAt: row.last_used_at ?? row.obtained_at,
  };
}

/** Stores a consent in place of an earlier one. */
export async function saveConsent(trx: Trx, consent: PartnerConsent): Promise<void> {
  const { country, tenant, sealedToken, userName, hasMfa, obtainedAt, lastUsedAt } = consent;
  const values = {
    secret_ciphertext: sealedToken,
    issued_for: tenant,
    user_name: userName,
    has_mfa: hasMfa,
    obtained_at: obtainedAt,
    last_used_at: lastUsedAt,
    updated_at: obtainedAt,
  };
  await trx
    .insertInto("provider_secrets")
    .values({ provider: consentKey(country), ...values })
    .onConflict((oc) => oc.column("provider").doUpdateSet(values))
    .execute();
}

/** Stores the newer token, unless the used one has been replaced meanwhile: by another process, or by a new consent. */
export async function replaceToken(
  db: Db,
  { country, sealedToken }: Pick<PartnerConsent, "country" | "sealedToken">,
  newer: { sealedToken: string; usedAt: Date },
): Promise<void> {
  await db
    .updateTable("provider_secrets")
    .set({ secret_ciphertext: newer.sealedToken, last_used_at: newer.usedAt, updated_at: newer.usedAt })
    .where("provider", "=", consentKey(country))
    .where("secret_ciphertext", "=", sealedToken)
    .execute();
}
