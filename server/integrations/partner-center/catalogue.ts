/** Microsoft's catalogue in a country: products, their SKUs, and a SKU's availabilities, which a cart names. */
import { z } from "zod";
import { parseResponse, pathOf, refusedInReply } from "../http.ts";
import type { Api } from "./api.ts";

/** ISO 8601: a month or a year. */
export type TermDuration = "P1M" | "P1Y";
export type BillingCycle = "monthly" | "annual";

export interface PartnerProduct {
  id: string;
  title: string;
}

export interface PartnerSku {
  id: string;
  title: string;
  /** Seats of one subscription; null when Microsoft names no limit. */
  minimumQuantity: number | null;
  maximumQuantity: number | null;
  isTrial: boolean;
}

export interface Availability {
  /** Id for a cart line: `productId:skuId:availabilityId`. */
  catalogItemId: string;
  availabilityId: string;
  /** ISO 4217 code in which Microsoft bills the partner. */
  currency: string | undefined;
  /** ISO 8601 durations; the cycle is in lower case, and null if Microsoft names none. */
  terms: readonly { duration: string; billingCycle: string | null }[];
}

export interface CatalogueCalls {
  listProducts(country: string): Promise<PartnerProduct[]>;
  listSkus(productId: string, country: string): Promise<PartnerSku[]>;
  listAvailabilities(productId: string, skuId: string, country: string): Promise<Availability[]>;
  findAvailability(
    productId: string,
    skuId: string,
    country: string,
    term: TermDuration,
  ): Promise<Availability>;
}

const title = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

const productsReply = z.object({ items: z.array(z.object({ id: z.string().min(1), title })) });

const seats = z
  .number()
  .nullish()
  .transform((count) => count ?? null);

const skusReply = z.object({
  items: z.array(
    z.object({
      id: z.string().min(1),
      title,
      minimumQuantity: seats,
      maximumQuantity: seats,
      isTrial: z
        .boolean()
        .nullish()
        .transform((is) => is === true),
    }),
  ),
});

const availabilitiesReply = z.object({
  items: z.array(
    z.object({
      id: z.string().min(1),
      catalogItemId: z.string().min(1),
      defaultCurrency: z.object({ code: z.string().optional() }).nullish(),
      segment: z.string().nullish(),
      isPurchasable: z.boolean().nullish(),
      terms: z
        .array(z.object({ duration: z.string().nullish(), billingCycle: z.string().nullish() }))
        .nullish(),
    }),
  ),
});

/** License-based products of the new commerce, without Azure's. */
const targetView = "OnlineServices";

export function catalogueCalls(api: Api): CatalogueCalls {
  async function askAvailabilities(productId: string, skuId: string, country: string) {
    const answer = await api({
      method: "GET",
      path: pathOf`/v1/products/${productId}/skus/${skuId}/availabilities`,
      query: { country },
    });
    const all = parseResponse(answer, availabilitiesReply).items.filter(
      ({ isPurchasable, segment }) =>
        isPurchasable !== false &&
        // Education, charity and government prices require proof of eligibility.
        (segment ?? "commercial").toLowerCase() === "commercial",
    );
    const availabilities = all.map(
      (one): Availability => ({
        catalogItemId: one.catalogItemId,
        availabilityId: one.id,
        currency: one.defaultCurrency?.code,
        terms: (one.terms ?? []).map(({ duration, billingCycle }) => ({
          duration: duration ?? "",
          billingCycle: billingCycle?.toLowerCase() ?? null,
        })),
      }),
    );
    return { answer, availabilities };
  }

  return {
    /** `GET /v1/products`: all products sold in a country (two letters). @throws ProviderError */
    async listProducts(country) {
      const answer = await api({ method: "GET", path: "/v1/products", query: { country, targetView } });
      return parseResponse(answer, productsReply).items;
    },

    /** `GET /v1/products/{id}/skus`. @throws ProviderError; refused with code 400013 when the product no longer exists */
    async listSkus(productId, country) {
      const path = pathOf`/v1/products/${productId}/skus`;
      return parseResponse(await api({ method: "GET", path, query: { country } }), skusReply).items;
    },

    /**
     * `GET .../availabilities`: the ways in which a business can buy the SKU in a country now.
     * @throws ProviderError; refused with code 400013 or 400018 when the product or the SKU no longer exists
     */
    async listAvailabilities(productId, skuId, country) {
      return (await askAvailabilities(productId, skuId, country)).availabilities;
    },

    /**
     * Returns the cart item for this SKU, country and term. The ids change, so call it right before each cart.
     * @throws ProviderError; refused with code `no_availability` when it is not sold that way.
     */
    async findAvailability(productId, skuId, country, term) {
      const { answer, availabilities } = await askAvailabilities(productId, skuId, country);
      const found = availabilities.find(({ terms }) => terms.some(({ duration }) => duration === term));
      if (found !== undefined) return found;
      throw refusedInReply(answer, "no_availability", `Not sold for ${country} and ${term}`);
    },
  };
}
