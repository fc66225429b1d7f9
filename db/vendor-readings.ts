/** What a vendor last said of a subscription, kept as it was said: beside our own row, which follows it by rules of its own. */
import type { SubscriptionId } from "./ids.ts";
import type { VendorReadingsTable } from "./tables/fulfilment.ts";
import type { Trx } from "./tables/index.ts";

/** What is kept of a reading; null for a subscription that the vendor does not have. */
export interface VendorReading {
  state: VendorReadingsTable["state"];
  quantity: number | null;
  term: { start: Date; end: Date } | null;
  /** Null where only what runs was asked for. */
  atEnd: VendorReadingsTable["at_end"];
}

/** Puts a reading in the place of the one before. */
export async function saveVendorReading(
  trx: Trx,
  subscriptionId: SubscriptionId,
  says: VendorReading | null,
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
  };
  await trx
    .insertInto("vendor_readings")
    .values({ subscription_id: subscriptionId, ...reading })
    .onConflict((conflict) => conflict.column("subscription_id").doUpdateSet(reading))
    .execute();
}
