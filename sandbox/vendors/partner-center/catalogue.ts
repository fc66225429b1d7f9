/**
 * Partner Center's catalogue: products.ts with the changes of `/control/withdrawn` and `/control/catalogue`. Each term of a SKU
 * has a separate availability in each country. Its id changes every hour and is accepted in a cart only within a day of being
 * returned, so that a client that keeps old ones is found out.
 */
import { createHash } from "node:crypto";
import { type HttpHandler, http } from "msw";
import { anyOrigin, type JsonObject } from "../http-helpers.ts";
import type { Sandbox } from "../sandbox.ts";
import { base, type Call, list, PartnerError, read } from "./calls.ts";
import { type PartnerSku, skusIn } from "./products.ts";

const hour = 3600_000;
const itemLife = 24 * hour;

const currencies: Readonly<Record<string, { code: string; symbol: string }>> = {
  IN: { code: "INR", symbol: "₹" },
  US: { code: "USD", symbol: "$" },
};

export function partnerCatalogueHandlers(sandbox: Sandbox): HttpHandler[] {
  /** Every SKU of the call's product, in the country it asks for. @throws PartnerError when there is no such product */
  const skusOf = (call: Call): PartnerSku[] => {
    const product = call.param("product");
    const found = skusIn(sandbox, countryOf(call)).filter(({ productId }) => productId === product);
    if (found.length === 0) throw new PartnerError(404, 400013, "Product wasn't found");
    return found;
  };
  const skuOf = (call: Call): PartnerSku => {
    const found = skusOf(call).find(({ skuId }) => skuId === call.param("sku"));
    if (found === undefined) throw new PartnerError(404, 400018, "SKU wasn't found");
    return found;
  };
  return [
    http.get(
      anyOrigin(`${base}/products`),
      read(sandbox, (call) => {
        const country = countryOf(call);
        if (call.query.get("targetView") !== "OnlineServices")
          throw new PartnerError(400, 2000, "The targetView is missing or not known.");
        const products = new Map(skusIn(sandbox, country).map((sku) => [sku.productId, sku]));
        return { status: 200, body: list([...products.values()].map(productBody)) };
      }),
    ),
    http.get(
      anyOrigin(`${base}/products/:product`),
      read(sandbox, (call) => ({ status: 200, body: skusOf(call).map(productBody)[0] })),
    ),
    http.get(
      anyOrigin(`${base}/products/:product/skus`),
      read(sandbox, (call) => ({ status: 200, body: list(skusOf(call).map(skuBody)) })),
    ),
    http.get(
      anyOrigin(`${base}/products/:product/skus/:sku`),
      read(sandbox, (call) => ({ status: 200, body: skuBody(skuOf(call)) })),
    ),
    http.get(
      anyOrigin(`${base}/products/:product/skus/:sku/availabilities`),
      read(sandbox, (call) => {
        const country = countryOf(call);
        if (country !== call.partner.country)
          throw new PartnerError(400, 800070, "Offer isn't available in the specified country/region.");
        const sku = skuOf(call);
        const durations = [...new Set(sku.terms.map(({ duration }) => duration))];
        return { status: 200, body: list(durations.map((term) => handOut(sandbox, sku, country, term))) };
      }),
    ),
  ];
}

/** Currency in which a partner is billed. */
export function currencyIn(country: string): string {
  return currencies[country]?.code ?? "";
}

/** Country in which an item is sold. */
export function countryOfItem(catalogItemId: string): string {
  return catalogItemId.slice(-2);
}

/** Undefined for an item that was never returned, or too long ago. */
export function currencyOfItem(sandbox: Sandbox, catalogItemId: string): string | undefined {
  const handedOut = sandbox.state.partner.catalogItems[catalogItemId];
  if (handedOut === undefined || sandbox.now() - handedOut > itemLife) return undefined;
  return currencies[countryOfItem(catalogItemId)]?.code;
}

function handOut(sandbox: Sandbox, sku: PartnerSku, country: string, duration: string): JsonObject {
  const { productId, skuId, terms } = sku;
  const seed = `${productId}:${skuId}:${country}:${duration}:${Math.floor(sandbox.now() / hour)}`;
  // Ends in the country, from which a cart derives its currency.
  const id = `CFQ7TTC0${createHash("sha256").update(seed).digest("hex").slice(0, 4).toUpperCase()}${country}`;
  const catalogItemId = `${productId}:${skuId}:${id}`;
  const { catalogItems } = sandbox.state.partner;
  catalogItems[catalogItemId] = sandbox.now();
  for (const [item, time] of Object.entries(catalogItems))
    if (sandbox.now() - time > itemLife) delete catalogItems[item];
  return {
    id,
    productId,
    skuId,
    catalogItemId,
    defaultCurrency: currencies[country],
    segment: "commercial",
    country,
    isPurchasable: !sandbox.withdrawn.includes(`${productId}:${skuId}`),
    isRenewable: true,
    isAutoRenewable: true,
    terms: terms.filter((term) => term.duration === duration),
    links: {},
  };
}

function countryOf({ query }: Call): string {
  const country = query.get("country")?.toUpperCase() ?? "";
  if (!(country in currencies))
    throw new PartnerError(400, 2000, `The country '${country}' is missing or not sold to.`);
  return country;
}

function productBody({ productId, title }: PartnerSku): JsonObject {
  return {
    id: productId,
    title,
    description: "",
    productType: { id: "OnlineServicesNCE", displayName: "OnlineServicesNCE" },
    isMicrosoftProduct: true,
    publisherName: "Microsoft Corporation",
  };
}

function skuBody({ productId, skuId, skuTitle, minSeats, maxSeats, isTrial }: PartnerSku): JsonObject {
  return {
    id: skuId,
    productId,
    title: skuTitle,
    description: "",
    minimumQuantity: minSeats,
    maximumQuantity: maxSeats,
    isTrial,
    supportedBillingCycles: ["monthly", "annual"],
    purchasePrerequisites: [],
    inventoryVariables: [],
    provisioningVariables: [],
    dynamicAttributes: {},
  };
}
