/** What a vendor last said of a subscription, kept as it was said: beside our own row, which follows it by rules of its own. */
import type { SubscriptionId } from "#db/ids.ts";
import type { VendorReadingsTable } from "#db/tables/fulfilment.ts";
import type { Db, Trx } from "#db/tables/index.ts";

/** What is kept of a reading; null for a subscription that the vendor does not have. */
export interface VendorSnapshot {
  state: VendorReadingsTable["state"];
  quantity: number | null;
  term: { start: Date; end: Date } | null;
  /** Null where only what runs was asked for. */
  atEnd: VendorReadingsTable["at_end"];
  /** Null where the vendor did not say this time: what it said before stays. */
  inUse: { assigned: number; of: number } | null;
}

/** How many licences are assigned to people, of how many, and when the vendor said so. */
export interface LicencesInUse {
  assigned: number;
  of: number;
  readAt: Date;
}

/** Puts a reading in the place of the one before. */
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

/** What vendors last said of the licences in use of these subscriptions; nothing of those of which they never did. */
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
