/**
 * Reads the result of an order back from the vendor, so that our row matches the vendor's record
 * (docs/decisions/fulfilment.md#source-of-truth). A write that was accepted may still be refused later, or show after a while.
 */
import type { Order } from "#db/orders/order.ts";
import { families } from "#server/catalogue/families/registry.ts";
import type { Destination } from "#server/catalogue/families/subscription-at-vendor.ts";
import type { VendorSubscription } from "#server/catalogue/families/vendor-subscription.ts";
import type { Context } from "#server/platform/context.ts";
import { ResultNotVisibleError } from "./stop-reasons.ts";

/** A vendor's reading, and the time of the request. */
export interface ReadBack {
  says: VendorSubscription;
  askedAt: Date;
}

/**
 * Reads a subscription back.
 * @param expected whether the vendor shows the order's result
 * @returns null for a family without a vendor
 * @throws ResultNotVisibleError, or ProviderError
 */
export async function readBack(
  context: Context,
  { family }: Pick<Order, "family">,
  place: Pick<Destination, "externalId" | "country"> | null,
  externalId: string,
  expected: (says: VendorSubscription) => boolean = () => true,
): Promise<ReadBack | null> {
  const { tenants } = families[family];
  if (tenants === null || place === null) return null;
  const askedAt = new Date();
  const says = await tenants.findHeld(context, place, externalId);
  if (says === null || says.state === null || !expected(says)) throw new ResultNotVisibleError(externalId);
  return { says, askedAt };
}
