/** Finds the tenant of a subscription that an order changes. */
import type { Destination, SubscriptionAtVendor } from "./subscription-at-vendor.ts";

/** @throws RangeError when there is none, which is a bug */
export function requireTenant({ destination }: Pick<SubscriptionAtVendor, "destination">): Destination {
  if (destination === null) throw new RangeError("A subscription of this family lives in a tenant");
  return destination;
}
