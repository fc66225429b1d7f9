/** What the tax register said of a GSTIN when it was last asked. */
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
  /** The name it trades under; empty when the register has none. */
  tradeName: string;
  /** As registered: "Active", "Cancelled", "Suspended". */
  status: string;
  /** "Regular", "SEZ Unit", "Composition": in the register's own words; empty when it did not say. */
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
 * The GSTIN of the address in a country to which a company's orders are sold unless they say otherwise, and what the register calls the taxpayer: null where it was not asked.
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

/** What the register said of these GSTINs, as far as it was asked. */
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

/** GSTINs of taxpayers whose legal or trade name in the register is like a pattern in lower case, as an array. */
export function gstinsNamed(pattern: string): RawBuilder<string[]> {
  return sql`array(
    select gstin from gst_registrations where lower(legal_name) like ${pattern}
    union select gstin from gst_registrations where trade_name <> '' and lower(trade_name) like ${pattern})`;
}
