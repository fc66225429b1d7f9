/** Finds our items in Partner Center's catalogue: a product by its title, in it a SKU by its title, and its plans. */

import type { VendorIds } from "#db/catalogue/vendor-catalogue.ts";
import type { Order } from "#db/orders/order.ts";
import type { Availability } from "#server/integrations/partner-center.ts";
import type { Context } from "#server/platform/context.ts";
import { type FoundItem, isSameTitle, type VendorCatalogue, vendorIdsOf } from "../vendor-catalogue.ts";
import { readPriceSheet } from "./price-sheet.ts";

export const catalogue: VendorCatalogue = {
  accountIn: ({ partnerAccounts }, country) => partnerAccounts.get(country)?.tenant ?? null,

  async find(context, country, names) {
    const partnerCenter = context.partnerCenterOf(country);
    const found: FoundItem[] = [];
    for (const product of await partnerCenter.listProducts(country)) {
      const wanted = names.filter((name) => isSameTitle(name.product, product.title));
      if (wanted.length === 0) continue;
      for (const sku of await partnerCenter.listSkus(product.id, country)) {
        const name = wanted.find((one) => isSameTitle(one.sku, sku.title));
        if (name === undefined || sku.isTrial) continue;
        const sold = await partnerCenter.listAvailabilities(product.id, sku.id, country);
        found.push({
          name,
          ids: { productId: product.id, skuId: sku.id },
          minSeats: sku.minimumQuantity,
          maxSeats: sku.maximumQuantity,
          plans: plansOf(sold),
          prices: [],
        });
      }
    }
    return found;
  },

  readPriceSheet: (context, country, month) =>
    context.partnerCenterOf(country).readPriceSheet(country, month),

  priceFile: { label: "Microsoft's price sheet (CSV)", read: readPriceSheet },
};

/** Returns the plans that we sell, which excludes terms billed neither monthly nor in advance, or longer than a year. */
function plansOf(availabilities: readonly Availability[]): FoundItem["plans"] {
  return availabilities
    .flatMap(({ terms }) => terms)
    .flatMap(({ duration, billingCycle }) =>
      (duration === "P1M" || duration === "P1Y") && (billingCycle === "monthly" || billingCycle === "annual")
        ? [{ term: duration, billingCycle }]
        : [],
    );
}

/** @throws ProviderError (refused, `not_in_catalogue`) */
export function microsoftIdsOf(
  context: Context,
  order: Pick<Order, "itemId" | "country">,
): Promise<VendorIds> {
  const account = catalogue.accountIn(context.env, order.country);
  return vendorIdsOf(context, order, { account, provider: "microsoft" });
}
