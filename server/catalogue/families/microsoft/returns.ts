/**
 * Cancels and reduces Microsoft subscriptions while Microsoft accepts returns (docs/providers.md, section 1.6). Each is one
 * change of the whole resource, based on the version just read.
 */
import { z } from "zod";
import { ProviderError } from "#server/integrations/errors.ts";
import { refundableBatches } from "#server/integrations/partner-center/subscriptions.ts";
import type { Context } from "#server/platform/context.ts";
import { providerStep, stillRunning } from "#server/platform/stored-steps/step.ts";
import { requireTenant } from "../require-tenant.ts";
import type { SubscriptionAtVendor } from "../subscription-at-vendor.ts";
import type { ReturnRules, ReturnStep, VendorReturnTerms } from "../vendor-cancellations.ts";

const done = z.object({});
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** Codes for a deadline that has passed, in days and in hours, and for licences that can no longer be returned. */
const tooLate = new Set(["900117", "900213", "900214", "800090"]);

export const returns: ReturnRules = {
  cancel: { hours: 7 * 24, carryOut: cancel },
  reduce: { hours: 72, carryOut: reduce },
  returnable,
  isTooLate: ({ code }) => tooLate.has(code ?? ""),
};

async function returnable(context: Context, held: SubscriptionAtVendor): Promise<VendorReturnTerms> {
  const resource = await read(context, held);
  const { data: until } = instant.safeParse(resource.cancellationAllowedUntilDate);
  return {
    cancelUntil: until ?? null,
    batches: refundableBatches(resource).map(({ quantity, allowedUntilDateTime }) => ({
      seats: quantity,
      until: allowedUntilDateTime,
    })),
  };
}

async function cancel(
  context: Context,
  { orderId, name }: ReturnStep,
  held: SubscriptionAtVendor,
): Promise<void> {
  await providerStep(context, orderId, name, done, async ({ requestId, look }) => {
    const resource = await look(() => read(context, held));
    if (resource.status.toLowerCase() === "deleted") return {};
    await change(context, held, { resource, changes: { status: "deleted" }, requestId });
    return {};
  });
}

/**
 * Reduces the licences. The change clears the schedule for the end of the term, which a job sets again
 * (server/orders/subscriptions/auto-renewal.ts).
 */
async function reduce(
  context: Context,
  { orderId, name }: ReturnStep,
  held: SubscriptionAtVendor,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await providerStep(context, orderId, name, done, async ({ requestId, look }) => {
    const resource = await look(() => read(context, held));
    if (resource.quantity === to) return {};
    if (resource.quantity !== from)
      throw new ProviderError("microsoft", "refused", "PATCH subscription", { code: "seats_changed" });
    await change(context, held, { resource, changes: { quantity: to }, requestId });
    return {};
  });
}

type PartnerCenter = ReturnType<Context["partnerCenterOf"]>;

function read(context: Context, held: SubscriptionAtVendor): ReturnType<PartnerCenter["getSubscription"]> {
  const { externalId: tenant, country } = requireTenant(held);
  return context.partnerCenterOf(country).getSubscription(tenant, held.subscription.externalId);
}

/** @throws ProviderError without a status while Microsoft is still making the change */
async function change(
  context: Context,
  held: SubscriptionAtVendor,
  input: {
    resource: Awaited<ReturnType<typeof read>>;
    changes: Parameters<PartnerCenter["updateSubscription"]>[2];
    requestId: string;
  },
): Promise<void> {
  const { externalId: tenant, country } = requireTenant(held);
  const { resource, changes, requestId } = input;
  const { outcome } = await context
    .partnerCenterOf(country)
    .updateSubscription(tenant, resource, changes, requestId);
  if (outcome === "pending") throw stillRunning("microsoft", "PATCH subscription");
}
