/** Adds seats to a Google commitment. */
import type { Order } from "#db/orders/order.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { entitlementResult } from "#server/integrations/google.ts";
import type { Context } from "#server/platform/context.ts";
import { planSeats, readSeatsPlan } from "../seats.ts";
import type { SubscriptionAtVendor } from "../subscription-at-vendor.ts";
import { googleOperation } from "./operation.ts";
import { renewEntitlement } from "./renewal.ts";

/** @returns the new number of seats @throws ProviderError */
export async function addSeats(context: Context, order: Order, held: SubscriptionAtVendor): Promise<number> {
  const { subscription } = held;
  const { google } = context;
  const { externalId } = subscription;
  const seats = async () => {
    const { numUnits } = await google.getEntitlement(externalId);
    if (numUnits !== undefined) return numUnits;
    throw new ProviderError("google", "refused", "changeParameters", { code: "no_seats" });
  };
  await googleOperation(context, order.id, "seats-operation", entitlementResult, async (attempt) => {
    const { to } = await planSeats(context, order, attempt, seats);
    return google.changeParameters(externalId, to, attempt.requestId);
  });
  // Every change is followed by the setting for the end of the term, in case Google drops it. A job sets it again for a
  // subscription that is not renewed (server/orders/subscriptions/auto-renewal.ts).
  if (subscription.next !== null) await renewEntitlement(context, order, held);
  const { to } = await readSeatsPlan(context, order);
  return to;
}
