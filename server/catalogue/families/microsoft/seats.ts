/**
 * Adds seats to a Microsoft subscription by writing the new total, unless another party has changed the total in the meantime.
 */
import type { Order } from "#db/orders/order.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { providerStep, stillRunning } from "#server/platform/stored-steps/step.ts";
import { requireTenant } from "../require-tenant.ts";
import { planSeats, seatsOfNextTerm, seatsPlan } from "../seats.ts";
import type { SubscriptionAtVendor } from "../subscription-at-vendor.ts";
import { scheduleNextTerm } from "./next-term.ts";
import { partnerFor } from "./partner.ts";

/** @returns the new number of seats @throws ProviderError */
export async function addSeats(context: Context, order: Order, held: SubscriptionAtVendor): Promise<number> {
  const { subscription } = held;
  const destination = requireTenant(held);
  const partnerCenter = partnerFor(context, order, destination);
  const tenant = destination.externalId;
  const { to } = await providerStep(context, order.id, "seats", seatsPlan, async (attempt) => {
    const { requestId, inDoubt, look } = attempt;
    const resource = await look(() => partnerCenter.getSubscription(tenant, subscription.externalId));
    const plan = await planSeats(context, order, attempt, async () => resource.quantity);
    // The subscription lock keeps other orders out, so an unanswered try of ours must have reached the total.
    if (inDoubt && resource.quantity === plan.to) return plan;
    if (resource.quantity !== plan.from) {
      throw new ProviderError("microsoft", "refused", "PATCH subscription", { code: "seats_changed" });
    }
    const changes = { quantity: plan.to };
    const { outcome } = await partnerCenter.updateSubscription(tenant, resource, changes, requestId);
    if (outcome === "pending") throw stillRunning("microsoft", "PATCH subscription");
    return plan;
  });
  // Changing seats mid-term clears the schedule for the next term (docs/providers.md, section 1.6). A job sets the end of a
  // subscription that is not renewed (server/orders/subscriptions/auto-renewal.ts).
  if (subscription.next !== null) {
    await scheduleNextTerm(context, order, held, seatsOfNextTerm(order, subscription));
  }
  return to;
}
