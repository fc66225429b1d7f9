/** What a provider says a customer holds, in our words: the same facts whoever tells them, or why they are none for us. */
import { z } from "zod";
import type { BillingCycle, Term } from "#db/tables/enums.ts";
import type { GoogleEntitlement } from "#server/providers/google.ts";
import type { PartnerSubscription } from "#server/providers/partner-center.ts";

export interface Found {
  /** The provider's own id of it. */
  externalId: string;
  /** As the catalogue writes it. */
  sku: string;
  /** The provider's id of what it is an add-on to. */
  parentExternalId: string | null;
  /** Seats, from 1. */
  quantity: number;
  term: Term;
  billingCycle: BillingCycle;
  start: Date;
  end: Date;
}

/** Over: not running at the provider. Unlike ours: running in a way that a row of ours cannot say. */
export type Reading =
  | { is: "running"; found: Found }
  | { is: "over" }
  | { is: "unlike ours"; sku: string; why: string };

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** @param now what has ended before is over, whatever the provider still calls it */
export function readPartnerSubscription(subscription: PartnerSubscription, now: Date): Reading {
  const { status, offerId, quantity, termDuration, billingCycle, isTrial } = subscription;
  if (status.toLowerCase() !== "active") return { is: "over" };
  // The availability, behind the second colon, changes from day to day.
  const sku = (offerId ?? "").split(":").slice(0, 2).join(":");
  const unlike = (why: string): Reading => ({ is: "unlike ours", sku, why });
  if (isTrial === true) return unlike("a trial");
  if (quantity < 1) return unlike("no seats");
  if (termDuration !== "P1M" && termDuration !== "P1Y") return unlike(`term ${termDuration ?? "unknown"}`);
  const billed = billingCycle?.toLowerCase();
  if (billed !== "monthly" && billed !== "annual") return unlike(`billed ${billingCycle ?? "unknown"}`);
  const dates = read(
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

const dayMs = 86_400_000;

/**
 * Only what runs for a year is taken for ours, paid for as we sell it (docs/specification.md, section 9.1).
 * @param product the one our skus are sold under
 */
export function readEntitlement(entitlement: GoogleEntitlement, product: string, now: Date): Reading {
  if (entitlement.state !== "ACTIVE") return { is: "over" };
  const { product: soldUnder, sku } = entitlement.sku ?? { product: "", sku: "" };
  const unlike = (why: string): Reading => ({ is: "unlike ours", sku, why });
  if (soldUnder !== product) return unlike(`of product ${soldUnder || "unknown"}`);
  const { numUnits, commitmentStart, commitmentEnd } = entitlement;
  if (numUnits === undefined || numUnits < 1) return unlike("no commitment");
  const dates = read(commitmentStart, commitmentEnd);
  if (dates === null) return unlike("no commitment");
  if (dates.end <= now) return { is: "over" };
  const days = Math.round((dates.end.getTime() - dates.start.getTime()) / dayMs);
  if (days < 365 || days > 366) return unlike(`${days} days`);
  return {
    is: "running",
    found: {
      externalId: entitlement.name,
      sku,
      parentExternalId: entitlement.baseEntitlement ?? null,
      quantity: numUnits,
      term: "P1Y",
      billingCycle: "annual",
      ...dates,
    },
  };
}

function read(start: string | null | undefined, end: string | null | undefined) {
  const dates = z.object({ start: instant, end: instant }).safeParse({ start, end });
  return dates.success && dates.data.start < dates.data.end ? dates.data : null;
}
