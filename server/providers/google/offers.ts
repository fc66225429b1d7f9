/** What Google currently sells to a customer: the offers of a SKU, and the one behind our yearly price. */
import { z } from "zod";
import { ProviderError } from "../http.ts";
import { type Api, allPages, nameIn } from "./api.ts";
import { readReply } from "./errors.ts";

/** Ids as in Google's SKU list, such as "Google Workspace" and "Business Starter". */
export interface GoogleSku {
  product: string;
  sku: string;
}

/** How often Google bills the reseller. */
export interface Period {
  duration: number;
  periodType: "DAY" | "MONTH" | "YEAR";
}

export interface GoogleOffer {
  /** `accounts/{a}/offers/{o}`: what an entitlement names. */
  name: string;
  /** `products/{p}/skus/{s}`. */
  sku: string | undefined;
  /** "COMMITMENT", "FLEXIBLE", "TRIAL", "FREE", ... */
  paymentPlan: string | undefined;
  paymentCycle: Period | undefined;
  /** Starts with a trial; paid service begins later. */
  hasTrial: boolean;
  /** Present when the offer is restricted to customers with the deal. */
  dealCode: string | undefined;
  /** The permitted number of seats. A transfer's minimum is what the customer has. */
  minUnits: number | undefined;
  maxUnits: number | undefined;
}

export interface OfferCalls {
  listPurchasableOffers(customer: string, sku: GoogleSku): Promise<GoogleOffer[]>;
  findOffer(customer: string, sku: GoogleSku): Promise<GoogleOffer>;
}

/** Seats of a commitment. */
export const numUnitsParameter = "num_units";

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
    parameterDefinitions: z
      .array(z.object({ name: z.string().optional(), minValue: bound, maxValue: bound }))
      .default([]),
  })
  .transform((wire): GoogleOffer => {
    const units = wire.parameterDefinitions.find((definition) => definition.name === numUnitsParameter);
    return {
      name: wire.name,
      sku: wire.sku?.name,
      paymentPlan: wire.plan?.paymentPlan,
      paymentCycle: wire.plan?.paymentCycle,
      hasTrial: wire.plan?.trialPeriod !== undefined && wire.plan.trialPeriod !== null,
      dealCode: wire.dealCode || undefined,
      minUnits: units?.minValue,
      maxUnits: units?.maxValue,
    };
  });

const offersReply = z.object({
  purchasableOffers: z.array(z.object({ offer })).default([]),
  nextPageToken: z.string().optional(),
});

export function offerCalls(api: Api): OfferCalls {
  async function listPurchasableOffers(customer: string, sku: GoogleSku): Promise<GoogleOffer[]> {
    const path = `${nameIn("customer", customer)}:listPurchasableOffers`;
    return allPages(`GET ${path}`, async (page) => {
      const query = { "createEntitlementPurchase.sku": skuName(sku), pageSize: "100", ...page };
      const reply = readReply(await api({ api: "channel", method: "GET", path, query }), offersReply);
      return { items: reply.purchasableOffers.map((one) => one.offer), nextPageToken: reply.nextPageToken };
    });
  }

  return {
    /** `GET /v1/{customer}:listPurchasableOffers`: what this customer may buy of a SKU. @throws ProviderError */
    listPurchasableOffers,

    /**
     * The offer for a one-year commitment that starts now: billed to us yearly if Google has such an offer, else at the
     * longest interval available. Offers change, so ask right before each entitlement.
     * @throws ProviderError; refused with code `no_offer` when there is no such offer.
     */
    async findOffer(customer, sku) {
      const offers = await listPurchasableOffers(customer, sku);
      const found = pickYearlyCommitment(offers, skuName(sku));
      if (found !== undefined) return found;
      const call = `GET ${nameIn("customer", customer)}:listPurchasableOffers`;
      throw new ProviderError("google", "refused", call, {
        status: 200,
        code: "no_offer",
        description: `No yearly commitment of ${skuName(sku)}`,
      });
    },
  };
}

/** The one place that decides which of a SKU's offers means "one year". Also for listTransferableOffers. */
export function pickYearlyCommitment(
  offers: readonly GoogleOffer[],
  sku: string | undefined,
): GoogleOffer | undefined {
  const fitting = offers.filter(
    (one) =>
      one.paymentPlan === "COMMITMENT" &&
      !one.hasTrial &&
      one.dealCode === undefined &&
      (one.sku === undefined || sku === undefined || one.sku === sku) &&
      monthsOf(one.paymentCycle) <= 12,
  );
  return fitting.toSorted((a, b) => monthsOf(b.paymentCycle) - monthsOf(a.paymentCycle))[0];
}

/** The full name of a SKU: `products/{p}/skus/{s}`. */
export function skuName({ product, sku }: GoogleSku): string {
  return `products/${product}/skus/${sku}`;
}

function monthsOf(cycle: Period | undefined): number {
  if (cycle === undefined) return 0;
  const months = { DAY: 1 / 30, MONTH: 1, YEAR: 12 };
  return cycle.duration * months[cycle.periodType];
}
