/** Finds the tenant of a domain, if it has accepted us as its partner. */
import type { Context } from "#server/platform/context.ts";
import type { IdentifiedTenant } from "../family.ts";
import type { Destination } from "../subscription-at-vendor.ts";
import { administrator } from "./administrator.ts";

/** @throws ProviderError */
export async function identifyTenant(
  context: Context,
  { domain, country }: Pick<Destination, "domain" | "country">,
): Promise<IdentifiedTenant> {
  const externalId = await context.partnerCenterOf(country).tenantIdOfDomain(domain);
  if (externalId === null) return { not: "Microsoft knows no tenant of this domain." };
  if (await administrator.hasAccepted(context, { externalId, country })) return { externalId };
  return { not: "Its tenant has not accepted us as its partner at Microsoft." };
}
