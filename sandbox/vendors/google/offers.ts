/**
 * Google's catalogue: products, SKUs, and the offers of a SKU in each country. `/control/withdrawn` and `/control/catalogue`
 * change it. The flexible plan is listed first and cannot be bought here, so that a client must select the plan it means.
 */
import { createHash } from "node:crypto";
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { type Call, channel, GoogleError, pageOf, parse, read } from "./calls.ts";
import { customerOf } from "./customer-of.ts";
import type { GoogleCustomer } from "./entities.ts";
import { skuName } from "./mode.ts";
import { accountName, paths } from "./paths.ts";
import { regions, type Sku, type SoldSku, skusOf, soldIn } from "./products.ts";

const listed = /^sku\.product\.name=(products\/[^/ ]+) AND sku\.name=(products\/[^/ ]+\/skus\/[^/ ]+)$/;

const inRegion = z.object({ regionCode: z.string() });

const plans = {
  FLEXIBLE: { periodType: "MONTH", units: "max_units", title: "Flexible Plan" },
  COMMITMENT: { periodType: "YEAR", units: "num_units", title: "Annual Plan (Yearly Payment)" },
} as const;
type Plan = keyof typeof plans;

const sizes = { usual: 100, most: 1000 };

export function googleOfferHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      paths.products,
      read(sandbox, channel, (call) => {
        requireAccount(call);
        const products = new Map(skusOf(sandbox).map(({ product }) => [product.name, titled(product)]));
        const { items, ...page } = pageOf([...products.values()], call.query, sizes);
        return { products: items, ...page };
      }),
    ),
    http.get(
      paths.skus,
      read(sandbox, channel, (call) => {
        requireAccount(call);
        const product = `products/${call.param("product")}`;
        const all = skusOf(sandbox).filter((sku) => product === "products/-" || sku.product.name === product);
        if (all.length === 0) throw new GoogleError("INVALID_ARGUMENT", `Unknown product: ${product}.`);
        const { items, ...page } = pageOf(all.map(bodyOf), call.query, sizes);
        return { skus: items, ...page };
      }),
    ),
    http.get(
      paths.offers,
      read(sandbox, channel, (call) => {
        const [, product = "", sku = ""] = listed.exec(call.query.get("filter") ?? "") ?? [];
        if (!sku.startsWith(`${product}/`) || product === "")
          throw new GoogleError("INVALID_ARGUMENT", "The filter names no product with its SKU.");
        requireSku(sandbox, sku);
        return { offers: regions.flatMap((region) => offersIn(sandbox, accountName(call), sku, region)) };
      }),
    ),
    http.get(
      paths.customerVerb("listPurchasableOffers"),
      read(sandbox, channel, (call) => {
        const customer = customerOf(sandbox, call);
        const sku = parse(skuName, call.query.get("createEntitlementPurchase.sku"));
        requireSku(sandbox, sku);
        const offers = offersOf(sandbox, accountName(call), sku, customer);
        return { purchasableOffers: offers.map((offer) => ({ offer })) };
      }),
    ),
  ];
}

/**
 * The offers of a SKU to a customer; in every country while Google does not know the customer's.
 * @param units minimum for a transfer
 */
export function offersOf(
  sandbox: Sandbox,
  account: string,
  sku: string,
  customer: GoogleCustomer | undefined,
  units?: number,
): JsonObject[] {
  const region = regionOf(customer);
  return regions
    .filter((one) => region === undefined || one === region)
    .flatMap((one) => offersIn(sandbox, account, sku, one, units));
}

/** Undefined while Google does not know the customer's country. */
export function regionOf(customer: GoogleCustomer | undefined): string | undefined {
  return inRegion.safeParse(customer?.profile.orgPostalAddress).data?.regionCode.toUpperCase();
}

function offersIn(
  sandbox: Sandbox,
  account: string,
  sku: string,
  region: string,
  units?: number,
): JsonObject[] {
  const listed = soldIn(sandbox, region).find(({ name }) => name === sku);
  const sold = listed && { ...listed, minSeats: units ?? listed.minSeats };
  if (sold === undefined || sandbox.withdrawn.includes(idOf(sku))) return [];
  const offered: Plan[] = sold.withoutTerm === "P1Y" ? ["FLEXIBLE"] : ["FLEXIBLE", "COMMITMENT"];
  return offered.map((plan) => offerBody(account, sold, plan, region));
}

/** @returns the SKU @throws GoogleError NOT_FOUND for an offer that does not exist, INVALID_ARGUMENT for a flexible one */
export function skuOfOffer(sandbox: Sandbox, account: string, name: string): string {
  for (const { name: sku } of skusOf(sandbox)) {
    for (const region of regions) {
      if (offerName(account, sku, "COMMITMENT", region) === name) return sku;
      if (offerName(account, sku, "FLEXIBLE", region) === name)
        throw new GoogleError(
          "INVALID_ARGUMENT",
          "The offer is a flexible plan, which this reseller does not sell.",
        );
    }
  }
  throw new GoogleError("NOT_FOUND", `The offer ${name} was not found.`);
}

export function commitmentOffer(account: string, sku: string): string {
  return offerName(account, sku, "COMMITMENT", "IN");
}

export function skuBody(sandbox: Sandbox, sku: string): JsonObject {
  const found = skusOf(sandbox).find(({ name }) => name === sku);
  if (found !== undefined) return bodyOf(found);
  // Still held at another reseller, but no longer sold.
  const product = sku.split("/skus/")[0] ?? "";
  return bodyOf({ name: sku, displayName: idOf(sku), product: { name: product, displayName: product } });
}

/** @throws GoogleError INVALID_ARGUMENT for an unknown SKU */
function requireSku(sandbox: Sandbox, sku: string): void {
  if (!skusOf(sandbox).some(({ name }) => name === sku))
    throw new GoogleError("INVALID_ARGUMENT", `Unknown SKU: ${sku}.`);
}

function requireAccount({ query }: Call): void {
  if (!/^accounts\/[^/]+$/.test(query.get("account") ?? ""))
    throw new GoogleError("INVALID_ARGUMENT", "The account is missing.");
}

function bodyOf({ product, ...sku }: Sku): JsonObject {
  return { ...titled(sku), product: titled(product) };
}

function titled({ name, displayName }: { name: string; displayName: string }): JsonObject {
  return { name, marketingInfo: { displayName } };
}

function idOf(sku: string): string {
  return sku.slice(sku.lastIndexOf("/") + 1);
}

/** Stable, but not guessable by a client. */
function offerName(account: string, sku: string, plan: Plan, region: string): string {
  const id = createHash("sha256").update(`sandbox-offer ${plan} ${region} ${sku}`).digest("base64url");
  return `${account}/offers/S${id.replace(/[-_]/g, "0").slice(0, 13)}`;
}

function offerBody(account: string, sku: SoldSku, plan: Plan, region: string): JsonObject {
  const { periodType, units, title } = plans[plan];
  const months = plan === "COMMITMENT" ? 12 : 1;
  const list = (sku.list * months) / 12;
  const price = (amount: number) => {
    const billionths = Math.round(amount * 1e9);
    const nanos = billionths % 1e9;
    return { currencyCode: sku.currency, units: String((billionths - nanos) / 1e9), nanos };
  };
  return {
    name: offerName(account, sku.name, plan, region),
    marketingInfo: { displayName: title },
    sku: bodyOf(sku),
    plan: { paymentPlan: plan, paymentType: "POSTPAY", paymentCycle: { duration: 1, periodType } },
    constraints: { customerConstraints: { allowedRegions: [region], allowedCustomerTypes: ["DOMAIN"] } },
    priceByResources: [
      {
        resourceType: "SEAT",
        price: {
          basePrice: price(list),
          discount: 1 - sku.costPercent / 100,
          effectivePrice: price((list * sku.costPercent) / 100),
        },
      },
    ],
    startTime: "2025-01-01T00:00:00Z",
    parameterDefinitions: [
      {
        name: units,
        parameterType: "INT64",
        minValue: { int64Value: String(sku.minSeats) },
        maxValue: { int64Value: String(sku.maxSeats) },
        optional: false,
      },
    ],
  };
}
