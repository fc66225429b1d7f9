/** Automatic renewal of a Google commitment: on once the next term is paid for, off otherwise. */

import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { entitlementResult } from "#server/integrations/google.ts";
import type { Context } from "#server/platform/context.ts";
import { providerStep } from "#server/platform/stored-steps/step.ts";
import type { SubscriptionAtVendor } from "../subscription-at-vendor.ts";
import type { VendorSubscription } from "../vendor-subscription.ts";
import { toVendorSubscription } from "./entitlements.ts";
import { googleOperation } from "./operation.ts";

const settingsStep = z.object({
  paymentCycle: z.object({ duration: z.number(), periodType: z.enum(["DAY", "MONTH", "YEAR"]) }),
});
const yearly = { duration: 1, periodType: "YEAR" } as const;

/**
 * Turns the renewal on. Google renews a commitment for all its seats at that time, and those are the paid ones.
 * @throws ProviderError
 */
export async function renewEntitlement(
  context: Context,
  order: Order,
  { subscription }: SubscriptionAtVendor,
): Promise<void> {
  const { google } = context;
  const { externalId } = subscription;
  const { paymentCycle } = await providerStep(
    context,
    order.id,
    "renewal-settings",
    settingsStep,
    async ({ look }) => {
      const { renewal } = await look(() => google.getEntitlement(externalId));
      return { paymentCycle: renewal?.paymentCycle ?? yearly };
    },
  );
  await googleOperation(context, order.id, "renewal-operation", entitlementResult, ({ requestId }) =>
    google.changeRenewalSettings(
      externalId,
      { enableRenewal: true, resizeUnitCount: false, paymentCycle },
      requestId,
    ),
  );
}

/**
 * Turns the renewal off, and reads back what Google has stored. @throws ProviderError; transient while Google does not show the
 * change
 */
export async function stopRenewal(
  { google }: Context,
  { subscription: { externalId } }: Pick<SubscriptionAtVendor, "subscription">,
): Promise<VendorSubscription> {
  const found = await google.getEntitlement(externalId);
  const { renewal } = found;
  if (renewal?.enableRenewal !== true) return toVendorSubscription(found);
  const settings = {
    enableRenewal: false,
    resizeUnitCount: false,
    paymentCycle: renewal.paymentCycle ?? yearly,
  };
  await google.changeRenewalSettings(externalId, settings, randomUUID());
  const stored = await google.getEntitlement(externalId);
  if (stored.renewal?.enableRenewal !== true) return toVendorSubscription(stored);
  throw new ProviderError("google", "transient", "changeRenewalSettings", { code: "not_ending" });
}
