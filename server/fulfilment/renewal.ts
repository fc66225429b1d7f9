/**
 * Carrying out a renewal: while the term runs, the provider is told to begin another when it ends; once it has lapsed, the
 * plan is bought anew (docs/decisions/renewal.md).
 */
import { z } from "zod";
import type { Context } from "#server/context.ts";
import { unreachable } from "#server/errors.ts";
import type { Order } from "#server/orders/order.ts";
import { entitlementResult } from "#server/providers/google.ts";
import { isRunning, type Subscription } from "#server/subscriptions/subscription.ts";
import { grantBrioAccess } from "../families/brio/index.ts";
import { NeedsPerson, type Renewed } from "../families/fulfilled.ts";
import { googleOperation } from "../families/google/operation.ts";
import { buyAtGoogle } from "../families/google/purchase.ts";
import { scheduleNextTerm } from "../families/microsoft/next-term.ts";
import { buyAgainAtMicrosoft } from "../families/microsoft/purchase.ts";
import { providerStep } from "../stored-steps/step.ts";
import { requireTenant } from "./destination.ts";

const howStep = z.object({ anew: z.boolean() });
const settingsStep = z.object({
  paymentCycle: z.object({ duration: z.number(), periodType: z.enum(["DAY", "MONTH", "YEAR"]) }),
});

/**
 * @param subscription held for this order
 * @throws ProviderError, or NeedsPerson when another order has renewed it since this one was priced
 */
export async function renew(context: Context, order: Order, subscription: Subscription): Promise<Renewed> {
  if (order.details.renewal?.after !== subscription.end.toISOString()) {
    throw new NeedsPerson(
      "The subscription was renewed by another order before this one was paid: pay this one back.",
    );
  }
  // Stored: a try after the term's end must not buy what an earlier one has scheduled.
  const { anew } = await providerStep(context, order.id, "renewal-plan", howStep, async () => ({
    anew: !isRunning(subscription, new Date()),
  }));
  const same = { subscriptionId: subscription.externalId, anew };
  switch (order.family) {
    case "microsoft":
      return anew
        ? { subscriptionId: await buyAgain(context, order, subscription), anew }
        : scheduleAtMicrosoft(context, order, subscription).then(() => same);
    case "google":
      if (anew) {
        const { externalId } = await requireTenant(context.db, order);
        return { subscriptionId: await buyAtGoogle(context, order, externalId), anew };
      }
      return renewAtGoogle(context, order, subscription).then(() => same);
    case "brio":
      if (anew) await grantBrioAccess(context, order);
      return same;
    default:
      return unreachable(order.family);
  }
}

async function buyAgain(context: Context, order: Order, subscription: Subscription): Promise<string> {
  const { parentSubscriptionId } = subscription;
  const destination = await requireTenant(context.db, { ...order, parentSubscriptionId });
  return buyAgainAtMicrosoft(context, order, destination);
}

async function scheduleAtMicrosoft(
  context: Context,
  order: Order,
  subscription: Subscription,
): Promise<void> {
  const { externalId: tenant } = await requireTenant(context.db, order);
  await scheduleNextTerm(context, order, { tenant, subscription, quantity: order.line.quantity });
}

/** Renewed for the seats it has then, which are those paid for: Google renews a commitment whole. */
async function renewAtGoogle(context: Context, order: Order, { externalId }: Subscription): Promise<void> {
  const { google } = context;
  const { paymentCycle } = await providerStep(
    context,
    order.id,
    "renewal-settings",
    settingsStep,
    async ({ look }) => {
      const { renewal } = await look(() => google.getEntitlement(externalId));
      return { paymentCycle: renewal?.paymentCycle ?? { duration: 1, periodType: "YEAR" } };
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
