/** Schedules a subscription's next term at Microsoft, with its number of seats (docs/providers.md, section 1.6). */
import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import { scheduledQuantity } from "#server/integrations/partner-center/subscriptions.ts";
import type { PartnerSubscription } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import { providerStep, stillRunning } from "#server/platform/stored-steps/step.ts";
import { requireTenant } from "../require-tenant.ts";
import type { SubscriptionAtVendor } from "../subscription-at-vendor.ts";
import { microsoftIdsOf } from "./catalogue.ts";
import { partnerFor } from "./partner.ts";

const done = z.object({});

/** Sends the complete instructions every time, so that a repeat changes nothing. @throws ProviderError */
export async function scheduleNextTerm(
  context: Context,
  order: Order,
  held: SubscriptionAtVendor,
  quantity: number,
): Promise<void> {
  const { subscription } = held;
  const destination = requireTenant(held);
  const partnerCenter = partnerFor(context, order, destination);
  const tenant = destination.externalId;
  const { term, billingCycle, externalId } = subscription;
  const { productId, skuId } = await microsoftIdsOf(context, order);
  await providerStep(context, order.id, "next-term", done, async ({ requestId, inDoubt, look }) => {
    const resource = await look(() => partnerCenter.getSubscription(tenant, externalId));
    if (inDoubt && isScheduled(resource, quantity)) return {};
    const { availabilityId } = await look(() =>
      partnerCenter.findAvailability(productId, skuId, order.country, term),
    );
    const product = { productId, skuId, availabilityId, billingCycle, termDuration: term };
    const { outcome } = await partnerCenter.updateSubscription(
      tenant,
      resource,
      { endOfTerm: { is: "renewed", next: { product, quantity } } },
      requestId,
    );
    if (outcome === "pending") throw stillRunning("microsoft", "PATCH subscription");
    return {};
  });
}

function isScheduled(resource: PartnerSubscription, quantity: number): boolean {
  return (
    resource.autoRenewEnabled === true &&
    scheduledQuantity(resource.scheduledNextTermInstructions) === quantity
  );
}
