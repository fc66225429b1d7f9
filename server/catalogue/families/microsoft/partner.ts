/** Selects the partner account that fulfils an order. */
import type { Order } from "#db/orders/order.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { PartnerCenter } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import type { Destination } from "../subscription-at-vendor.ts";

/**
 * Returns the client of the order's country. An order never goes into a tenant of another country, whose account would have to
 * buy it (docs/decisions/countries.md#partner-accounts).
 * @throws ProviderError (refused) for such a tenant, and for a country without an account
 */
export function partnerFor(
  context: Context,
  { country }: Order,
  destination: Pick<Destination, "country"> | null,
): PartnerCenter {
  if (destination !== null && destination.country !== country) {
    throw new ProviderError("microsoft", "refused", "every call", {
      code: "other_country",
      description: `The order is for ${country} and the tenant is sold to from ${destination.country}`,
    });
  }
  return context.partnerCenterOf(country);
}
