/**
 * Carrying out "buy more": seats are added to a subscription at its provider exactly once. Providers are told a new total,
 * never a difference, so orders for one subscription take turns (hold.ts), and each stores the total it asks for first.
 */
import { z } from "zod";
import type { Context } from "#server/context.ts";
import { unreachable } from "#server/errors.ts";
import type { Order } from "#server/orders/order.ts";
import { ProviderError } from "#server/providers/errors.ts";
import { entitlementResult } from "#server/providers/google.ts";
import type { Subscription } from "#server/subscriptions/subscription.ts";
import { requireTenant } from "./destination.ts";
import type { SeatsAdded } from "./fulfilled.ts";
import { googleOperation, stillRunning } from "./google-operation.ts";
import { scheduleNextTerm } from "./next-term.ts";
import { forgetStep, providerStep } from "./step.ts";

const planName = "seats-plan";
const planStep = z.object({ from: z.number(), to: z.number() });

/**
 * @param subscription held for this order
 * @throws ProviderError
 */
export async function addSeats(
  context: Context,
  order: Order,
  subscription: Subscription,
): Promise<SeatsAdded> {
  switch (order.family) {
    case "microsoft":
      return addAtMicrosoft(context, order, subscription);
    case "google":
      return addAtGoogle(context, order, subscription);
    case "brio":
      return { quantity: subscription.quantity + order.line.quantity };
    default:
      return unreachable(order.family);
  }
}

/** Seats of a next term that is paid for already: what is added counts there only when its price reached that far. */
export function seatsOfNextTerm(
  { line, details }: Order,
  { next, end }: Pick<Subscription, "next" | "end">,
): number {
  return (next?.quantity ?? 0) + (details.proration?.until === end.toISOString() ? line.quantity : 0);
}

async function addAtMicrosoft(
  context: Context,
  order: Order,
  subscription: Subscription,
): Promise<SeatsAdded> {
  const { partnerCenter } = context;
  const { externalId: tenant } = await requireTenant(context.db, order);
  const { to } = await providerStep(context, order.id, "seats", planStep, async ({ requestId, inDoubt }) => {
    // Nothing has been asked for yet, or it was clearly refused: the total is counted anew.
    if (!inDoubt) await forgetStep(context, order.id, planName);
    const resource = await partnerCenter.getSubscription(tenant, subscription.externalId);
    const plan = await planOf(context, order, async () => resource.quantity);
    // Nobody else's order was let in: an unheard try of ours has reached the total.
    if (inDoubt && resource.quantity === plan.to) return plan;
    if (resource.quantity !== plan.from) {
      throw new ProviderError("microsoft", "refused", "PATCH subscription", { code: "seats_changed" });
    }
    const changes = { quantity: plan.to };
    const { outcome } = await partnerCenter.updateSubscription(tenant, resource, changes, requestId);
    if (outcome === "pending") throw stillRunning("microsoft", "PATCH subscription");
    return plan;
  });
  // A change of seats in mid-term takes away what was scheduled for the next one (PROVIDERS section 1).
  if (subscription.next !== null) {
    await scheduleNextTerm(context, order, {
      tenant,
      subscription,
      quantity: seatsOfNextTerm(order, subscription),
    });
  }
  return { quantity: to };
}

async function addAtGoogle(
  context: Context,
  order: Order,
  { externalId }: Subscription,
): Promise<SeatsAdded> {
  const { google } = context;
  const { to } = await planOf(context, order, async () => {
    const { numUnits } = await google.getEntitlement(externalId);
    if (numUnits !== undefined) return numUnits;
    throw new ProviderError("google", "refused", "changeParameters", { code: "no_seats" });
  });
  await googleOperation(context, order.id, "seats-operation", entitlementResult, (requestId) =>
    google.changeParameters(externalId, to, requestId),
  );
  return { quantity: to };
}

function planOf(context: Context, order: Order, seats: () => Promise<number>) {
  return providerStep(context, order.id, planName, planStep, async () => {
    const from = await seats();
    return { from, to: from + order.line.quantity };
  });
}
