/** Reads a tenant's subscription from Partner Center in our terms. */
import type { PartnerSubscription } from "#server/providers/partner-center.ts";
import { type Reading, readDates } from "../found.ts";

/** @param now a subscription that ended earlier is over, whatever status the provider reports */
export function readPartnerSubscription(subscription: PartnerSubscription, now: Date): Reading {
  const { status, offerId, quantity, termDuration, billingCycle, isTrial } = subscription;
  if (status.toLowerCase() !== "active") return { is: "over" };
  // The availability, after the second colon, changes from day to day.
  const sku = (offerId ?? "").split(":").slice(0, 2).join(":");
  const unlike = (why: string): Reading => ({ is: "unlike ours", sku, why });
  if (isTrial === true) return unlike("a trial");
  if (quantity < 1) return unlike("no seats");
  if (termDuration !== "P1M" && termDuration !== "P1Y") return unlike(`term ${termDuration ?? "unknown"}`);
  const billed = billingCycle?.toLowerCase();
  if (billed !== "monthly" && billed !== "annual") return unlike(`billed ${billingCycle ?? "unknown"}`);
  const dates = readDates(
    subscription.effectiveStartDate ?? subscription.creationDate,
    subscription.commitmentEndDate,
  );
  if (dates === null) return unlike("no dates");
  if (dates.end <= now) return { is: "over" };
  return {
    is: "running",
    found: {
      externalId: subscription.id,
      sku,
      parentExternalId: subscription.parentSubscriptionId || null,
      quantity,
      term: termDuration,
      billingCycle: billed,
      ...dates,
    },
  };
}
