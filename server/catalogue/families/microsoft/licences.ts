/**
 * Number of a tenant's licences that are assigned to people. Microsoft counts by product under names and part numbers of its
 * licensing service, which its catalogue does not have, so the table below has them; a product in neither is not counted
 * (docs/providers.md, section 1.6).
 */
import { titlesByVendorKey } from "#db/catalogue/vendor-catalogue.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { LicencePool } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import type { Destination } from "../subscription-at-vendor.ts";
import { isSameTitle } from "../vendor-catalogue.ts";
import { waitForQuota } from "../vendor-quota.ts";
import type { LicenceUse } from "../vendor-subscription.ts";

type Account = Pick<Destination, "externalId" | "country">;

const readsASecond = 6;

/** Part numbers by the product's title in Microsoft's catalogue. */
const partNumbers: Readonly<Record<string, readonly string[]>> = {
  "Microsoft 365 Business Basic": ["O365_BUSINESS_ESSENTIALS", "SMB_BUSINESS_ESSENTIALS"],
  "Microsoft 365 Business Standard": ["O365_BUSINESS_PREMIUM", "SMB_BUSINESS_PREMIUM"],
  "Microsoft 365 Business Premium": ["SPB"],
  "Microsoft 365 Apps for business": ["O365_BUSINESS", "SMB_BUSINESS"],
  "Microsoft Teams Essentials": ["TEAMS_ESSENTIALS_AAD", "TEAMS_ESS"],
  "Exchange Online (Plan 1)": ["EXCHANGESTANDARD"],
  "Exchange Online (Plan 2)": ["EXCHANGEENTERPRISE"],
  "Microsoft Defender for Business": ["MDE_SMB"],
  "Office 365 E1": ["STANDARDPACK"],
  "Copilot for Microsoft 365": ["MICROSOFT_365_COPILOT"],
};

/**
 * Reads the counts of a tenant once.
 * @returns a subscription's count by its "product:sku"; null for all if we have no permission, which does not stop anything else
 */
export async function readInUse(
  context: Context,
  { externalId, country }: Account,
): Promise<(sku: string) => LicenceUse | null> {
  await waitForQuota(context, {
    name: "microsoft-licences",
    key: country,
    limit: readsASecond,
    windowSeconds: 1,
  });
  try {
    const pools = await context.partnerCenterOf(country).listLicences(externalId);
    const titles = await titlesByVendorKey(context.db, "microsoft");
    return (sku) => {
      const title = titles.get(sku);
      return title === undefined ? null : licencesInUseOf(pools, title);
    };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    context.log.info({ err: error, tenant: externalId }, "the licenses in use of a tenant were not told");
    return () => null;
  }
}

/** @param title the product's title in Microsoft's catalogue */
export function licencesInUseOf(pools: readonly LicencePool[], title: string): LicenceUse | null {
  const known = partNumbers[title] ?? [];
  const pool = pools.find(
    ({ name, partNumber }) => known.includes(partNumber.toUpperCase()) || isSameTitle(title, name),
  );
  return pool === undefined || pool.active === 0 ? null : { assigned: pool.consumed, of: pool.active };
}
