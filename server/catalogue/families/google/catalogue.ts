/** Finds our items in Cloud Channel's catalogue: a product by its name, in it a SKU by its name, and its yearly offer. */
import type { Order } from "#db/orders/order.ts";
import {
  type GoogleOffer,
  type GoogleSku,
  pickYearlyCommitment,
  skuName,
  yearlyPrice,
} from "#server/integrations/google.ts";
import type { Context } from "#server/platform/context.ts";
import { type FoundItem, isSameTitle, type VendorCatalogue, vendorIdsOf } from "../vendor-catalogue.ts";
import { readOffers } from "./offers-file.ts";

export const catalogue: VendorCatalogue = {
  // One reseller account sells in all countries.
  accountIn: ({ GOOGLE_ACCOUNT_ID }) => GOOGLE_ACCOUNT_ID,

  async find({ google }, country, names) {
    const found: FoundItem[] = [];
    for (const product of await google.listProducts()) {
      const wanted = names.filter((name) => isSameTitle(name.product, product.displayName));
      if (wanted.length === 0) continue;
      for (const sku of await google.listSkus(product.name)) {
        const name = wanted.find((one) => isSameTitle(one.sku, sku.displayName));
        if (name === undefined) continue;
        const ids = { productId: lastOf(product.name), skuId: lastOf(sku.name) };
        const offers = await google.listOffers(toSku(ids));
        const offer = pickYearlyCommitment(offers, skuName(toSku(ids)), country);
        found.push({
          name,
          ids,
          minSeats: offer?.minUnits ?? null,
          maxSeats: offer?.maxUnits ?? null,
          plans: offer === undefined ? [] : [yearly],
          prices: pricesOf(offer),
        });
      }
    }
    return found;
  },

  readPriceSheet: null,

  priceFile: { label: "Google's offers (JSON)", read: readOffers },
};

const yearly = { term: "P1Y", billingCycle: "annual" } as const;

function pricesOf(offer: GoogleOffer | undefined): FoundItem["prices"] {
  const price = offer === undefined ? undefined : yearlyPrice(offer);
  if (price === undefined) return [];
  return [{ ...yearly, currency: price.currency, cost: price.ours, retail: price.list }];
}

/** @throws ProviderError (refused, `not_in_catalogue`) */
export async function skuOf(context: Context, order: Pick<Order, "itemId" | "country">): Promise<GoogleSku> {
  const account = catalogue.accountIn(context.env, order.country);
  return toSku(await vendorIdsOf(context, order, { account, provider: "google" }));
}

function toSku({ productId, skuId }: { productId: string; skuId: string }): GoogleSku {
  return { product: productId, sku: skuId };
}

/** Returns "1010020027" for "products/Google-Apps/skus/1010020027". */
function lastOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
