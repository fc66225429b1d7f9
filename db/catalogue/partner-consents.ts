/**
 * Queries on partner consents: the permission of a partner's user for the store to call Partner Center for them. The refresh
 * token is stored as ciphertext and changes with every use.
 */
import type { Country } from "#db/tables/enums.ts";
import type { Db, Trx } from "#db/tables/index.ts";

export interface PartnerConsent {
  country: Country;
  /** Partner tenant at the time of consent. The consent is valid for that tenant only. */
  tenant: string;
  sealedToken: string;
  /** User who consented. */
  userName: string;
  /** Whether they signed in with a second factor. */
  hasMfa: boolean;
  obtainedAt: Date;
  lastUsedAt: Date;
}

/** Returns an account's key in the table, to which its ciphertext is bound. */
export function consentKey(country: Country): string {
  return `partner-center:${country}`;
}

/** Returns the consent for the partner's tenant in a country; null while there is none. */
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

/** Stores a consent and replaces an earlier one. */
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

/** Stores the newer token, unless another process or a new consent has replaced the used one in the meantime. */
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
