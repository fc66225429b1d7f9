/** What the tax register said of a GSTIN when it was last asked. */
import { sql } from "kysely";
import type { Db } from "./tables/index.ts";

export interface RegisteredTaxpayer {
  gstin: string;
  legalName: string;
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
    .select([
      "gstin",
      "legal_name as legalName",
      "status",
      "taxpayer_type as taxpayerType",
      "seen_at as seenAt",
    ])
    .where("gstin", "=", gstin)
    .executeTakeFirst();
  return row ?? null;
}

/** What the register said of these GSTINs, as far as it was asked. */
export async function listRegistrations(db: Db, gstins: readonly string[]): Promise<RegisteredTaxpayer[]> {
  return db
    .selectFrom("gst_registrations")
    .select(["gstin", "legal_name as legalName", "status", "taxpayer_type as taxpayerType"])
    .where(sql<boolean>`gstin = any(${[...gstins]}::text[])`)
    .execute();
}

export async function saveRegistration(db: Db, found: RegisteredTaxpayer, seenAt: Date): Promise<void> {
  const said = {
    legal_name: found.legalName,
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
