/** Ends the paid extension of a subscription whose plan was bought again (docs/decisions/renewal.md#end-of-term). */
import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import { queueOperatorAlert } from "#server/foundation/outbox/mail.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { providerStep, stillRunning } from "#server/platform/stored-steps/step.ts";
import { requireTenant } from "../require-tenant.ts";
import type { SubscriptionAtVendor } from "../subscription-at-vendor.ts";
import { partnerFor } from "./partner.ts";
import { findSubscription } from "./subscriptions.ts";

const done = z.object({});

/**
 * Does nothing to a subscription that is not extended. The paid plan has been bought by now, so a refusal does not stop the
 * order: the operator ends the extension.
 * @throws ProviderError while Microsoft may still end it
 */
export async function endExtension(
  context: Context,
  order: Order,
  held: SubscriptionAtVendor,
): Promise<void> {
  const destination = requireTenant(held);
  const partnerCenter = partnerFor(context, order, destination);
  const { externalId: tenant } = destination;
  const { externalId } = held.subscription;
  await providerStep(context, order.id, "end-extension", done, async ({ requestId, look }) => {
    const says = await look(() => findSubscription(context, destination, externalId));
    if (says === null || !says.isExtended) return {};
    if (says.state !== "active" && says.state !== "suspended") return {};
    const resource = await look(() => partnerCenter.getSubscription(tenant, externalId));
    try {
      const changes = { status: "deleted" } as const;
      const { outcome } = await partnerCenter.updateSubscription(tenant, resource, changes, requestId);
      if (outcome === "pending") throw stillRunning("microsoft", "PATCH subscription");
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== "refused") throw error;
      context.log.warn({ err: error, orderId: order.id }, "an extension could not be ended");
      await context.db.transaction().execute((trx) =>
        queueOperatorAlert(trx, {
          dedupeKey: `extension:${order.id}`,
          orderId: order.id,
          what: `The order is complete, but Microsoft did not end the extension of ${resource.id} in ${destination.domain}, and goes on billing us for it: ${error.message}.`,
          toDo: ["End the extension in Partner Center."],
        }),
      );
    }
    return {};
  });
}
