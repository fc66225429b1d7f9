/** Google's catalogue: products, their SKUs, the offers of a SKU, and the offer for our yearly price. */
import { z } from "zod";
import { ProviderError, pathOf } from "../http.ts";
import { type Api, allPages, resourcePath } from "./api.ts";
import type { GoogleConfig } from "./config.ts";
import { readReply } from "./errors.ts";

/** The ids in a SKU's name, `products/{product}/skus/{sku}`. */
export interface GoogleSku {
  product: string;
  sku: string;
}

/** Interval at which Google bills the reseller. */
export interface Period {
  duration: number;
  periodType: "DAY" | "MONTH" | "YEAR";
}

export interface GoogleOffer {
  /** Offer name for an entitlement: `accounts/{a}/offers/{o}`. */
  name: string;
  /** `products/{p}/skus/{s}`. */
  sku: string | undefined;
  /** "COMMITMENT", "FLEXIBLE", "TRIAL", "FREE", ... */
  paymentPlan: string | undefined;
  paymentCycle: Period | undefined;
  /** Whether it starts with a trial; paid service begins later. */
  hasTrial: boolean;
  /** Present when the offer is restricted to customers with the deal. */
  dealCode: string | undefined;
  /** Permitted number of seats. The minimum for a transfer is the customer's present number. */
  minUnits: number | undefined;
  maxUnits: number | undefined;
  /** Two-letter codes of the countries whose customers may have it; empty when it is not restricted. */
  regions: readonly string[];
  /** Whether it is only for a change of plan or a promotion, which a new purchase is not. */
  isPromotional: boolean;
  /** Price of a seat for one payment cycle: the list price, and the reseller's cost. */
  price: { currency: string; list: number; ours: number } | undefined;
}

/** A product or a SKU of Google's catalogue. */
export interface GoogleTitle {
  /** `products/{p}`, `products/{p}/skus/{s}`. */
  name: string;
  displayName: string;
}

export interface OfferCalls {
  listProducts(): Promise<GoogleTitle[]>;
  listSkus(product: string): Promise<GoogleTitle[]>;
  listOffers(sku: GoogleSku): Promise<GoogleOffer[]>;
  listPurchasableOffers(customer: string, sku: GoogleSku): Promise<GoogleOffer[]>;
  findOffer(customer: string, sku: GoogleSku, region: string): Promise<GoogleOffer>;
}

/** Seats of a commitment. */
export const numUnitsParameter = "num_units";
/** Only in responses, never in requests. */
export const assignedUnitsParameter = "assigned_units";

/** An int64, which Google sends as text because JavaScript numbers would lose digits. */
export const int64 = z.union([z.string().regex(/^-?\d{1,15}$/), z.int()]).transform(Number);

export const period = z.object({
  duration: z.int().positive(),
  periodType: z.enum(["DAY", "MONTH", "YEAR"]),
});

const bound = z
  .object({ int64Value: int64.optional() })
  .optional()
  .catch(undefined)
  .transform((value) => value?.int64Value);

const amount = z.object({
  currencyCode: z.string(),
  units: int64.default(0),
  /** Billionths of a unit. */
  nanos: z.int().default(0),
});
const toAmount = ({ units, nanos }: z.infer<typeof amount>) => units + nanos / 1e9;

const priceByResource = z.object({
  price: z.object({ basePrice: amount, effectivePrice: amount }).optional().catch(undefined),
});

export const offer = z
  .object({
    name: z.string().min(1),
    sku: z.object({ name: z.string().optional() }).optional(),
    plan: z
      .object({
        paymentPlan: z.string().optional(),
        paymentCycle: period.optional().catch(undefined),
        trialPeriod: z.unknown().optional(),
      })
      .optional(),
    dealCode: z.string().optional(),
    constraints: z
      .object({
        customerConstraints: z
          .object({
            allowedRegions: z.array(z.string()).default([]),
            promotionalOrderTypes: z.array(z.string()).default([]),
          })
          .optional(),
      })
      .optional(),
    priceByResources: z.array(priceByResource).default([]),
    parameterDefinitions: z
      .array(z.object({ name: z.string().optional(), minValue: bound, maxValue: bound }))
      .default([]),
  })
  .transform((wire): GoogleOffer => {
    const units = wire.parameterDefinitions.find((definition) => definition.name === numUnitsParameter);
    const { allowedRegions = [], promotionalOrderTypes = [] } = wire.constraints?.customerConstraints ?? {};
    const price = wire.priceByResources[0]?.price;
    return {
      name: wire.name,
      sku: wire.sku?.name,
      paymentPlan: wire.plan?.paymentPlan,
      paymentCycle: wire.plan?.paymentCycle,
      hasTrial: wire.plan?.trialPeriod !== undefined && wire.plan.trialPeriod !== null,
      dealCode: wire.dealCode || undefined,
      minUnits: units?.minValue,
      maxUnits: units?.maxValue,
      regions: allowedRegions,
      isPromotional: promotionalOrderTypes.length > 0,
      price: price && {
        currency: price.effectivePrice.currencyCode,
        list: toAmount(price.basePrice),
        ours: toAmount(price.effectivePrice),
      },
    };
  });

const offersReply = z.object({
  purchasableOffers: z.array(z.object({ offer })).default([]),
  nextPageToken: z.string().optional(),
});

const catalogueReply = z.object({ offers: z.array(offer).default([]), nextPageToken: z.string().optional() });

const titled = z
  .object({
    name: z.string().min(1),
    marketingInfo: z.object({ displayName: z.string().optional() }).optional().catch(undefined),
  })
  .transform(
    ({ name, marketingInfo }): GoogleTitle => ({ name, displayName: marketingInfo?.displayName ?? "" }),
  );
const productsReply = z.object({
  products: z.array(titled).default([]),
  nextPageToken: z.string().optional(),
});
const skusReply = z.object({ skus: z.array(titled).default([]), nextPageToken: z.string().optional() });

export function offerCalls(api: Api, config: GoogleConfig): OfferCalls {
  async function listPurchasableOffers(customer: string, sku: GoogleSku): Promise<GoogleOffer[]> {
    const path = `${resourcePath("customer", customer)}:listPurchasableOffers`;
    return allPages(`GET ${path}`, async (page) => {
      const query = { "createEntitlementPurchase.sku": skuName(sku), pageSize: "100", ...page };
      const reply = readReply(await api({ api: "channel", method: "GET", path, query }), offersReply);
      return { items: reply.purchasableOffers.map((one) => one.offer), nextPageToken: reply.nextPageToken };
    });
  }

  const account = `accounts/${config.accountId}`;
  return {
    /** `GET /v1/products`: the products that the account may sell. @throws ProviderError */
    async listProducts() {
      return allPages("GET /v1/products", async (page) => {
        const query = { account, pageSize: "1000", ...page };
        const reply = readReply(
          await api({ api: "channel", method: "GET", path: "/v1/products", query }),
          productsReply,
        );
        return { items: reply.products, nextPageToken: reply.nextPageToken };
      });
    },

    /** `GET /v1/products/{p}/skus`. @param product `products/{p}` @throws ProviderError */
    async listSkus(product) {
      const path = `${resourcePath("product", product)}/skus`;
      return allPages(`GET ${path}`, async (page) => {
        const query = { account, pageSize: "1000", ...page };
        const reply = readReply(await api({ api: "channel", method: "GET", path, query }), skusReply);
        return { items: reply.skus, nextPageToken: reply.nextPageToken };
      });
    },

    /** `GET /v1/accounts/{a}/offers`: our offers of a SKU, before there is a customer. @throws ProviderError */
    async listOffers(sku) {
      const path = pathOf`/v1/accounts/${config.accountId}/offers`;
      const filter = `sku.product.name=products/${sku.product} AND sku.name=${skuName(sku)}`;
      return allPages(`GET ${path}`, async (page) => {
        const query = { filter, pageSize: "1000", ...page };
        const reply = readReply(await api({ api: "channel", method: "GET", path, query }), catalogueReply);
        return { items: reply.offers, nextPageToken: reply.nextPageToken };
      });
    },

    /** `GET /v1/{customer}:listPurchasableOffers`: offers of a SKU that this customer may buy. @throws ProviderError */
    listPurchasableOffers,

    /**
     * Finds the offer for a one-year commitment that starts now: billed to us yearly if Google has such an offer, else at the
     * longest interval available. Offers change, so call it right before each entitlement.
     * @throws ProviderError; refused with code `no_offer` when there is no such offer.
     */
    async findOffer(customer, sku, region) {
      const offers = await listPurchasableOffers(customer, sku);
      const found = pickYearlyCommitment(offers, skuName(sku), region);
      if (found !== undefined) return found;
      const call = `GET ${resourcePath("customer", customer)}:listPurchasableOffers`;
      throw new ProviderError("google", "refused", call, {
        status: 200,
        code: "no_offer",
        description: `No yearly commitment of ${skuName(sku)}`,
      });
    },
  };
}

/**
 * Decides which of a SKU's offers means "one year"; the only function that does. Also for listTransferableOffers.
 * @param region the customer's country, in two letters; left out if Google lists a single customer's offers
 */
export function pickYearlyCommitment(
  offers: readonly GoogleOffer[],
  sku: string | undefined,
  region?: string,
): GoogleOffer | undefined {
  const fitting = offers.filter(
    (one) =>
      one.paymentPlan === "COMMITMENT" &&
      !one.hasTrial &&
      one.dealCode === undefined &&
      !one.isPromotional &&
      (region === undefined || one.regions.length === 0 || one.regions.includes(region)) &&
      (one.sku === undefined || sku === undefined || one.sku === sku) &&
      monthsOf(one.paymentCycle) <= 12,
  );
  return fitting.toSorted((a, b) => monthsOf(b.paymentCycle) - monthsOf(a.paymentCycle))[0];
}

/** Returns an offer's price of a seat for a whole year, for any payment cycle; undefined if Google gives none. */
export function yearlyPrice({ price, paymentCycle }: GoogleOffer): GoogleOffer["price"] {
  const months = monthsOf(paymentCycle);
  if (price === undefined || months === 0) return undefined;
  const { currency, list, ours } = price;
  return { currency, list: (list * 12) / months, ours: (ours * 12) / months };
}

/** Returns the full name of a SKU: `products/{p}/skus/{s}`. */
export function skuName({ product, sku }: GoogleSku): string {
  return `products/${product}/skus/${sku}`;
}

function monthsOf(cycle: Period | undefined): number {
  if (cycle === undefined) return 0;
  const months = { DAY: 1 / 30, MONTH: 1, YEAR: 12 };
  return cycle.duration * months[cycle.periodType];
}
