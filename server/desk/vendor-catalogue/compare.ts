/** Compares our items with a vendor's of the same names, and describes the differences in sentences for the operator. */
import { type VendorIds, vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import type { FoundItem } from "#server/catalogue/families/vendor-catalogue.ts";
import type { VendorItem } from "#server/catalogue/items.ts";
import { licences } from "#server/catalogue/pricing/quantity.ts";

/** Seats up to which an item without its own limit must be sold: a vendor's offer for companies of any size. */
const anySize = 100_000;

export interface ComparedItem {
  item: Pick<VendorItem, "minSeats" | "maxSeats" | "vendor">;
  /** Our plans on sale in the country. */
  plans: FoundItem["plans"];
  /** Vendor's ids from the last time that the item was found; null if it never was. */
  stored: VendorIds | null;
  /** The vendor's items with the same names. */
  found: readonly FoundItem[];
}

/** @returns an empty list when nothing differs */
export function differencesOf({ item, plans, stored, found }: ComparedItem): string[] {
  const named = `"${item.vendor.sku}" in the product "${item.vendor.product}"`;
  const [only, ...others] = found;
  if (only === undefined) return [`The vendor's catalogue has no ${named}.`];
  const id = vendorKey(only.ids);
  if (others.length > 0) {
    const all = found.map(({ ids }) => vendorKey(ids)).join(", ");
    return [`The vendor's catalogue has several of ${named}: ${all}. Only one can match.`];
  }
  return [...idDifference(id, stored), ...seatDifferences(item, only), ...planDifferences(plans, only)];
}

function idDifference(id: string, stored: VendorIds | null): string[] {
  if (stored === null) return [`The vendor's ID is ${id}, which isn't stored.`];
  return vendorKey(stored) === id
    ? []
    : [`It is ${id} at the vendor now, and ${vendorKey(stored)} is stored.`];
}

function seatDifferences({ minSeats, maxSeats }: ComparedItem["item"], found: FoundItem): string[] {
  const tooFew = found.minSeats !== null && minSeats < found.minSeats;
  const tooMany = found.maxSeats !== null && (maxSeats ?? anySize) > found.maxSeats;
  return [
    ...(tooFew ? [`We sell it from ${licences(minSeats)}; the vendor's minimum is ${found.minSeats}.`] : []),
    ...(tooMany
      ? [
          `It is sold here up to ${maxSeats === null ? "any number of licenses" : licences(maxSeats)}, and by the vendor up to ${found.maxSeats}.`,
        ]
      : []),
  ];
}

function planDifferences(plans: ComparedItem["plans"], found: FoundItem): string[] {
  return plans
    .filter(
      ({ term, billingCycle }) =>
        !found.plans.some((one) => one.term === term && one.billingCycle === billingCycle),
    )
    .map(({ term, billingCycle }) => `The vendor doesn't sell it for ${term} (${billingCycle}).`);
}
