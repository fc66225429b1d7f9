/** Queries on the tax register's last response about a GSTIN. */
import { type RawBuilder, sql } from "kysely";
import type { CustomerId } from "#db/ids.ts";
import type { Country } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";

const columns = [
  "gstin",
  "legal_name as legalName",
  "trade_name as tradeName",
  "status",
  "taxpayer_type as taxpayerType",
] as const;

export interface RegisteredTaxpayer {
  gstin: string;
  legalName: string;
  /** Trade name; empty when the register has none. */
  tradeName: string;
  /** Status in the register: "Active", "Cancelled", "Suspended". */
  status: string;
  /** Type in the register: "Regular", "SEZ Unit", "Composition"; empty when it did not report one. */
  taxpayerType: string;
}

export async function readRegistration(
  db: Db,
  gstin: string,
): Promise<(RegisteredTaxpayer & { seenAt: Date }) | null> {
  const row = await db
    .selectFrom("gst_registrations")
    .select([...columns, "seen_at as seenAt"])
    .where("gstin", "=", gstin)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns the GSTIN of a company's default address in a country, and the register's type of the taxpayer, which is null if it was
 * not queried.
 * @returns null for a company without an address there
 */
export async function findTaxpayerOf(
  db: Db,
  customerId: CustomerId,
  country: Country,
): Promise<{ gstin: string | null; taxpayerType: string | null } | null> {
  const row = await db
    .selectFrom("addresses")
    .leftJoin("gst_registrations", "gst_registrations.gstin", "addresses.gst_code")
    .select(["addresses.gst_code as gstin", "gst_registrations.taxpayer_type as taxpayerType"])
    .where("addresses.customer_id", "=", customerId)
    .where("addresses.country", "=", country)
    .orderBy("addresses.made_default_at", (order) => order.desc().nullsLast())
    .orderBy("addresses.created_at", "desc")
    .orderBy("addresses.id")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Lists the register's stored responses about these GSTINs; leaves out those never queried. */
export async function listRegistrations(db: Db, gstins: readonly string[]): Promise<RegisteredTaxpayer[]> {
  return db
    .selectFrom("gst_registrations")
    .select(columns)
    .where(sql<boolean>`gstin = any(${[...gstins]}::text[])`)
    .execute();
}

export async function saveRegistration(db: Db, found: RegisteredTaxpayer, seenAt: Date): Promise<void> {
  const said = {
    legal_name: found.legalName,
    trade_name: found.tradeName,
    status: found.status,
    taxpayer_type: found.taxpayerType,
    seen_at: seenAt,
  };
  await db
    .insertInto("gst_registrations")
    .values({ gstin: found.gstin, ...said })
    .onConflict((oc) => oc.column("gstin").doUpdateSet(said))
    .execute();
}

/** Returns the GSTINs of taxpayers whose legal or trade name in the register matches a lower-case pattern, as an array. */
export function gstinsNamed(pattern: string): RawBuilder<string[]> {
  return sql`array(
    select gstin from gst_registrations where lower(legal_name) like ${pattern}
    union select gstin from gst_registrations where trade_name <> '' and lower(trade_name) like ${pattern})`;
}
