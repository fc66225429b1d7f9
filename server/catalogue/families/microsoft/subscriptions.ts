/** Reads a tenant's subscriptions from Partner Center in our terms. */

import { ProviderError } from "#server/integrations/errors.ts";
import { endsWithTerm, scheduledQuantity } from "#server/integrations/partner-center/subscriptions.ts";
import type { PartnerSubscription } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import type { ListOptions } from "../family.ts";
import { type ParseResult, parseTermDates } from "../parsed-subscription.ts";
import type { Destination } from "../subscription-at-vendor.ts";
import { waitForQuota } from "../vendor-quota.ts";
import type { ListedVendorSubscription, VendorSubscription } from "../vendor-subscription.ts";
import { readInUse } from "./licences.ts";

type Account = Pick<Destination, "externalId" | "country">;

/**
 * Microsoft allows 500 calls a minute to a partner's subscriptions (docs/providers.md, section 1.2). Lists take at most 360
 * of them, a few each second.
 */
const listsASecond = 6;

/** Lists all subscriptions of a tenant. @throws ProviderError */
export async function listSubscriptions(
  context: Context,
  { externalId, country }: Account,
  { now }: ListOptions,
): Promise<ListedVendorSubscription[]> {
  await waitForQuota(context, {
    name: "microsoft-list",
    key: country,
    limit: listsASecond,
    windowSeconds: 1,
  });
  const all = await context.partnerCenterOf(country).listSubscriptions(externalId);
  if (all.length === 0) return [];
  const inUse = await readInUse(context, { externalId, country });
  return all.map((one) => ({
    says: { ...toVendorSubscription(one), inUse: inUse(skuOf(one)) },
    reading: parsePartnerSubscription(one, now),
  }));
}

/** Codes for a tenant that is not our customer, or not known yet: they say nothing about the subscription. */
const tenantUnknown = new Set(["60003", "1000"]);

/** @returns null for a subscription that the tenant does not have @throws ProviderError */
export async function findSubscription(
  context: Context,
  { externalId: tenant, country }: Account,
  externalId: string,
): Promise<VendorSubscription | null> {
  try {
    return toVendorSubscription(await context.partnerCenterOf(country).getSubscription(tenant, externalId));
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404 && !tenantUnknown.has(error.code ?? ""))
      return null;
    throw error;
  }
}

const states: Readonly<Record<string, VendorSubscription["state"]>> = {
  active: "active",
  suspended: "suspended",
  disabled: "suspended",
  expired: "expired",
  deleted: "cancelled",
};

export function toVendorSubscription(subscription: PartnerSubscription): VendorSubscription {
  const { id, status, quantity, autoRenewEnabled, scheduledNextTermInstructions } = subscription;
  const renews = autoRenewEnabled === true;
  return {
    externalId: id,
    state: states[status.toLowerCase()] ?? null,
    waitsForTerms: false,
    quantity,
    term: termOf(subscription),
    atEnd: renews ? "renews" : endsWithTerm(subscription) ? "ends" : "is extended",
    nextQuantity: renews ? scheduledQuantity(scheduledNextTermInstructions) : null,
    inUse: null,
    isExtended: isExtended(subscription),
  };
}

const isExtended = ({ friendlyName }: PartnerSubscription) =>
  /extended service term/i.test(friendlyName ?? "");

/** Returns "product:sku". The availability, after the second colon, changes from day to day. */
const skuOf = ({ offerId }: PartnerSubscription) => (offerId ?? "").split(":").slice(0, 2).join(":");

const termOf = (subscription: PartnerSubscription) =>
  parseTermDates(
    subscription.effectiveStartDate ?? subscription.creationDate,
    subscription.commitmentEndDate,
  );

/** @param now a subscription that ended earlier is over, regardless of the status that the provider reports */
export function parsePartnerSubscription(subscription: PartnerSubscription, now: Date): ParseResult {
  const { status, quantity, termDuration, billingCycle, isTrial } = subscription;
  if (status.toLowerCase() !== "active") return { is: "ended" };
  const sku = skuOf(subscription);
  const unlike = (why: string): ParseResult => ({ is: "unsupported", sku, why });
  if (isTrial === true) return unlike("a trial");
  if (isExtended(subscription)) return unlike("a paid extended term");
  if (quantity < 1) return unlike("no seats");
  if (termDuration !== "P1M" && termDuration !== "P1Y") return unlike(`term ${termDuration ?? "unknown"}`);
  const billed = billingCycle?.toLowerCase();
  if (billed !== "monthly" && billed !== "annual") return unlike(`billed ${billingCycle ?? "unknown"}`);
  const dates = termOf(subscription);
  if (dates === null) return unlike("no dates");
  if (dates.end <= now) return { is: "ended" };
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
