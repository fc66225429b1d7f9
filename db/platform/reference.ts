/**
 * Queries on the reference tables: the families, countries, currencies, payment providers and staff roles that this database
 * knows.
 */
import { sql } from "kysely";
import type { Db } from "#db/tables/index.ts";

export interface References {
  families: readonly string[];
  currencies: readonly string[];
  /** Each with its currency: "IN in INR". */
  countries: readonly string[];
  paymentProviders: readonly string[];
  staffRoles: readonly string[];
}

/** Reads the reference tables; null while the migration that creates them has not run. */
export async function readReferences(db: Db): Promise<References | null> {
  const { rows } = await sql<{ has: boolean }>`select to_regclass('countries') is not null as has`.execute(
    db,
  );
  if (rows[0]?.has !== true) return null;
  const families = await db.selectFrom("families").select("id").execute();
  const currencies = await db.selectFrom("currencies").select("id").execute();
  const countries = await db.selectFrom("countries").select(["id", "currency"]).execute();
  const paymentProviders = await db.selectFrom("payment_providers").select("id").execute();
  const staffRoles = await db.selectFrom("staff_roles").select("id").execute();
  return {
    families: families.map(({ id }) => id),
    currencies: currencies.map(({ id }) => id),
    countries: countries.map(({ id, currency }) => countryKey(id, currency)),
    paymentProviders: paymentProviders.map(({ id }) => id),
    staffRoles: staffRoles.map(({ id }) => id),
  };
}

/** Formats a country as in `References`. */
export function countryKey(country: string, currency: string): string {
  return `${country} in ${currency}`;
}
