/** Whether Microsoft still sells a plan, or an add-on to its tenant. */

import { findTenant } from "#db/accounts/tenants.ts";
import { itemById } from "#db/catalogue/catalogue.ts";
import { listBaseIds, vendorKey } from "#db/catalogue/vendor-catalogue.ts";
import type { Order } from "#db/orders/order.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import type { Context } from "#server/platform/context.ts";
import { notFoundByName, type SaleCheck } from "../vendor-catalogue.ts";
import { microsoftIdsOf } from "./catalogue.ts";

/** The product or its SKU no longer exists, neither is sold for this term in this country, or it was never found there. */
const goneCodes: readonly (string | undefined)[] = ["400013", "400018", "no_availability", notFoundByName];

/** @throws ProviderError */
export async function isOnSale(context: Context, order: Order): Promise<SaleCheck> {
  const { line, country } = order;
  try {
    const { productId, skuId } = await microsoftIdsOf(context, order);
    await context.partnerCenterOf(country).findAvailability(productId, skuId, country, line.term);
    return { isSold: true, lacksBase: await lacksBase(context, order) };
  } catch (error) {
    if (error instanceof ProviderError && goneCodes.includes(error.code)) return { isSold: false };
    throw error;
  }
}

/**
 * Whether the tenant has no base for the add-on. Microsoft sells an add-on as it sells a plan, and accepts any base that runs in
 * the tenant, regardless of the reseller.
 * @throws ProviderError
 */
async function lacksBase({ db, partnerCenterOf }: Context, order: Order): Promise<boolean> {
  const item = await itemById(db, order.itemId);
  if (item === null || item.baseItemIds.length === 0 || order.tenantId === null) return false;
  const tenant = await findTenant(db, order.tenantId);
  if (tenant === null) return false;
  const bases = await listBaseIds(db, { itemId: item.id, country: order.country });
  const held = await partnerCenterOf(tenant.country).listSubscriptions(tenant.externalId);
  return !held.some(
    ({ status, offerId }) =>
      status.toLowerCase() === "active" &&
      bases.some((ids) => (offerId ?? "").startsWith(`${vendorKey(ids)}:`)),
  );
}
