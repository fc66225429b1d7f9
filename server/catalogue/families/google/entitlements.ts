/** Reads a customer's entitlements from Cloud Channel in our terms, within its quota. */
import { vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { GoogleEntitlement } from "#server/integrations/google.ts";
import type { Context } from "#server/platform/context.ts";
import type { ListOptions } from "../family.ts";
import { type ParseResult, parseTermDates } from "../parsed-subscription.ts";
import type { Destination } from "../subscription-at-vendor.ts";
import { waitForQuota } from "../vendor-quota.ts";
import type { ListedVendorSubscription, VendorSubscription } from "../vendor-subscription.ts";
import { changesBeforeTerms, waitsForTerms } from "./terms.ts";

/**
 * Google allows 24 entitlement lists a minute per project (docs/providers.md, section 2.1). One call every 3 seconds
 * makes 20.
 */
const secondsBetween = 3;

/** Lists all entitlements of a customer. @throws ProviderError */
export async function listEntitlements(
  context: Context,
  { externalId }: Pick<Destination, "externalId">,
  { now, secondsBetweenLists = secondsBetween }: ListOptions,
): Promise<ListedVendorSubscription[]> {
  const quota = { name: "google-list", key: "entitlements", limit: 1, windowSeconds: secondsBetweenLists };
  await waitForQuota(context, quota);
  const all = await context.google.listEntitlements(externalId);
  return all.map((one) => ({
    says: toVendorSubscription(one),
    reading: parseEntitlement(one, now),
  }));
}

/** @returns null for an entitlement that the customer does not have with us @throws ProviderError */
export async function findEntitlement(
  { google }: Context,
  _customer: Pick<Destination, "externalId">,
  externalId: string,
): Promise<VendorSubscription | null> {
  try {
    return toVendorSubscription(await google.getEntitlement(externalId));
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return null;
    throw error;
  }
}

/** Suspension reasons that mean the end of an entitlement. */
const endings = new Set(["RENEWAL_WITH_TYPE_CANCEL", "TRIAL_ENDED"]);

export function toVendorSubscription(entitlement: GoogleEntitlement): VendorSubscription {
  const { name, numUnits, assignedUnits, commitmentStart, commitmentEnd, renewal } = entitlement;
  return {
    externalId: name,
    state: stateOf(entitlement),
    waitsForTerms: waitsForTerms(entitlement),
    quantity: numUnits ?? null,
    term: parseTermDates(commitmentStart, commitmentEnd),
    atEnd: renewal?.enableRenewal === true ? "renews" : "ends",
    nextQuantity: null,
    inUse:
      numUnits === undefined || assignedUnits === undefined
        ? null
        : { assigned: assignedUnits, of: numUnits },
    isExtended: false,
  };
}

function stateOf(entitlement: GoogleEntitlement): VendorSubscription["state"] {
  const { state, suspensionReasons } = entitlement;
  if (state === "ACTIVE") return "active";
  if (state !== "SUSPENDED") return null;
  if (suspensionReasons.some((reason) => endings.has(reason))) return "expired";
  const byTermsAlone = waitsForTerms(entitlement) && suspensionReasons.length === 1;
  return byTermsAlone && changesBeforeTerms ? "active" : "suspended";
}

const dayMs = 86_400_000;

/** Accepts only yearly commitments, the only kind we sell (docs/specification.md, section 9.1). */
export function parseEntitlement(entitlement: GoogleEntitlement, now: Date): ParseResult {
  if (entitlement.state !== "ACTIVE") return { is: "ended" };
  const { product, sku: skuId } = entitlement.sku ?? { product: "", sku: "" };
  const sku = vendorKey({ productId: product, skuId });
  const unlike = (why: string): ParseResult => ({ is: "unsupported", sku, why });
  const { numUnits, commitmentStart, commitmentEnd } = entitlement;
  if (numUnits === undefined || numUnits < 1) return unlike("no commitment");
  const dates = parseTermDates(commitmentStart, commitmentEnd);
  if (dates === null) return unlike("no commitment");
  if (dates.end <= now) return { is: "ended" };
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
