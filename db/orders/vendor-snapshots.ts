/**
 * Vendor snapshots: a vendor's latest description of a subscription, stored as received. Our own row follows it by its own
 * rules.
 */
import type { SubscriptionId } from "#db/ids.ts";
import type { VendorReadingsTable } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** A vendor's description of a subscription that it has. */
export interface VendorSnapshot {
  state: VendorReadingsTable["state"];
  quantity: number | null;
  term: { start: Date; end: Date } | null;
  /** Null when only the running term was requested. */
  atEnd: VendorReadingsTable["at_end"];
  /** Null when this response left it out; the stored number then stays. */
  inUse: { assigned: number; of: number } | null;
}

/** Licences assigned to people, of how many, and when the vendor reported it. */
export interface LicencesInUse {
  assigned: number;
  of: number;
  readAt: Date;
}

/** Replaces a subscription's snapshot. @param says null when the vendor does not have the subscription */
export async function saveVendorSnapshot(
  trx: Trx,
  subscriptionId: SubscriptionId,
  says: VendorSnapshot | null,
  readAt: Date,
): Promise<void> {
  const reading = {
    is_there: says !== null,
    state: says?.state ?? null,
    quantity: says?.quantity ?? null,
    term_start: says?.term?.start ?? null,
    term_end: says?.term?.end ?? null,
    at_end: says?.atEnd ?? null,
    read_at: readAt,
    ...(says?.inUse != null && {
      in_use: says.inUse.assigned,
      in_use_of: says.inUse.of,
      in_use_read_at: readAt,
    }),
  };
  await trx
    .insertInto("vendor_readings")
    .values({ subscription_id: subscriptionId, ...reading })
    .onConflict((conflict) => conflict.column("subscription_id").doUpdateSet(reading))
    .execute();
}

/** Reads the licences in use as last reported, keyed by subscription id; without those never reported. */
export async function selectLicencesInUse(
  db: Db,
  ids: readonly SubscriptionId[],
): Promise<ReadonlyMap<string, LicencesInUse>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("vendor_readings")
    .select(["subscription_id as id", "in_use as assigned", "in_use_of as of", "in_use_read_at as readAt"])
    .where("subscription_id", "in", ids)
    .where("in_use_read_at", "is not", null)
    .$narrowType<LicencesInUse>()
    .execute();
  return new Map(rows.map(({ id, ...inUse }) => [id, inUse]));
}
