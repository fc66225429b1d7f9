/**
 * Fulfils a renewal. While the term runs, the provider is requested to begin another when it ends. Once it has lapsed, the
 * plan is bought again (docs/decisions/renewal.md#renewal).
 */
import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { isSameEnd } from "#server/catalogue/families/same-end.ts";
import type { SubscriptionAtVendor } from "#server/catalogue/families/subscription-at-vendor.ts";
import { isRunning } from "#server/orders/subscriptions/subscription.ts";
import type { Context } from "#server/platform/context.ts";
import { providerStep } from "#server/platform/stored-steps/step.ts";
import { NeedsAttentionError } from "./stop-reasons.ts";

const howStep = z.object({ anew: z.boolean() });

/** The result of a renewal. */
export interface RenewalResult {
  /** The provider's id of the subscription; a new one when it had lapsed and was bought again. */
  subscriptionId: string;
  /** Whether the old term had ended, so that the new one has begun. */
  anew: boolean;
}

/**
 * Fulfils a renewal at the provider.
 * @throws ProviderError, or NeedsAttentionError when another order has renewed the subscription since this one was priced
 */
export async function carryOutRenewal(
  context: Context,
  order: Order,
  held: SubscriptionAtVendor,
): Promise<RenewalResult> {
  const { subscription } = held;
  if (!isSameEnd(order.details.renewal?.after, subscription.end)) {
    throw new NeedsAttentionError(
      "The subscription was renewed by another order before this one was paid: pay this one back.",
    );
  }
  // Stored, so that a retry after the term's end does not buy what an earlier try has scheduled.
  const { anew } = await providerStep(context, order.id, "renewal-plan", howStep, async () => ({
    anew: !isRunning(subscription, new Date()),
  }));
  const family = families[order.family];
  if (anew) return { subscriptionId: await family.buyAgain(context, order, held), anew };
  await family.renew(context, order, held);
  return { subscriptionId: subscription.externalId, anew };
}
