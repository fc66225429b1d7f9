/** Finds our customer at Google that has a domain. */
import type { Context } from "#server/platform/context.ts";
import type { IdentifiedTenant } from "../family.ts";
import type { Destination } from "../subscription-at-vendor.ts";

/** @throws ProviderError */
export async function identifyCustomer(
  { google }: Context,
  { domain }: Pick<Destination, "domain">,
): Promise<IdentifiedTenant> {
  const { status, customerName } = await google.checkDomain(domain);
  if (status === 1 && customerName !== undefined) return { externalId: customerName };
  return {
    not:
      status === 2
        ? "It is another reseller's customer at Google: it moves to us with a transfer token."
        : "Google has no customer of ours with this domain.",
  };
}
