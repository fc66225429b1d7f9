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
import type { SeatsAdded } from "../families/fulfilled.ts";
import { googleOperation, stillRunning } from "../families/google/operation.ts";
import { scheduleNextTerm } from "../families/microsoft/next-term.ts";
import { type Attempt, forgetStep, providerStep } from "../stored-steps/step.ts";
import { requireTenant } from "./destination.ts";

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
  const { to } = await providerStep(context, order.id, "seats", planStep, async (attempt) => {
    const { requestId, inDoubt, look } = attempt;
    const resource = await look(() => partnerCenter.getSubscription(tenant, subscription.externalId));
    const plan = await planOf(context, order, attempt, async () => resource.quantity);
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
  // A change of seats in mid-term takes away what was scheduled for the next one (docs/providers.md, section 1.6).
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
  const seats = async () => {
    const { numUnits } = await google.getEntitlement(externalId);
    if (numUnits !== undefined) return numUnits;
    throw new ProviderError("google", "refused", "changeParameters", { code: "no_seats" });
  };
  await googleOperation(context, order.id, "seats-operation", entitlementResult, async (attempt) => {
    const { to } = await planOf(context, order, attempt, seats);
    return google.changeParameters(externalId, to, attempt.requestId);
  });
  const { to } = await providerStep(context, order.id, planName, planStep, () =>
    Promise.reject(new RangeError("Seats were added of which there is no plan")),
  );
  return { quantity: to };
}

/**
 * The total that is asked for: stored, so that a repeat of what may have been heard asks for the same. When nothing has been
 * asked for yet, or it was clearly refused, it is counted anew: another order may have had its turn meanwhile.
 */
async function planOf(
  context: Context,
  order: Order,
  { inDoubt, look }: Attempt,
  seats: () => Promise<number>,
): Promise<z.infer<typeof planStep>> {
  if (!inDoubt) await forgetStep(context, order.id, planName);
  return look(() =>
    providerStep(context, order.id, planName, planStep, async (attempt) => {
      const from = await attempt.look(seats);
      return { from, to: from + order.line.quantity };
    }),
  );
}
