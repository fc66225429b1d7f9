/**
 * Partner Center's catalogue. It sells whatever product and SKU it is asked for, so that the store's seed alone says what exists.
 * The availability id changes every hour and is only good for a cart within a day of having been handed out, so that a client which
 * keeps old ones is found out.
 */
import { createHash } from "node:crypto";
import { type HttpHandler, http } from "msw";
import type { Sandbox } from "../sandbox.ts";
import { at, type JsonObject } from "../wire.ts";
import { base, PartnerError, read } from "./calls.ts";

const hour = 3600_000;
const itemLife = 24 * hour;

const currencies: Readonly<Record<string, { code: string; symbol: string }>> = {
  IN: { code: "INR", symbol: "₹" },
  US: { code: "USD", symbol: "$" },
};

const terms = [
  { duration: "P1M", description: "One-Month commitment for monthly billing", billingCycle: "Monthly" },
  { duration: "P1Y", description: "One-Year commitment for monthly billing", billingCycle: "Monthly" },
  { duration: "P1Y", description: "One-Year commitment for yearly billing", billingCycle: "Annual" },
];

/** Microsoft's plans for small businesses end at 300 seats a tenant; everything else is sold to companies of any size. */
const smallBusiness: readonly string[] = [
  "CFQ7TTC0LH18",
  "CFQ7TTC0LDPB",
  "CFQ7TTC0LCHC",
  "CFQ7TTC0JN4R",
  "CFQ7TTC0LH1G",
  "CFQ7TTC0J1GB",
];

/** @param offer a product's id, or an id that begins with one, such as a catalogue item's */
export function mostSeats(offer: string): number {
  const [product = ""] = offer.split(":");
  return smallBusiness.includes(product) ? 300 : 10_000_000;
}

export function partnerCatalogueHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      at(`${base}/products`),
      read(sandbox, ({ query }) => {
        countryOf(query);
        return { status: 200, body: collection([productBody("CFQ7TTC0LDPB"), productBody("CFQ7TTC0LH18")]) };
      }),
    ),
    http.get(
      at(`${base}/products/:product`),
      read(sandbox, (call) => ({ status: 200, body: productBody(call.param("product")) })),
    ),
    http.get(
      at(`${base}/products/:product/skus`),
      read(sandbox, (call) => ({ status: 200, body: collection([skuBody(call.param("product"), "0001")]) })),
    ),
    http.get(
      at(`${base}/products/:product/skus/:sku`),
      read(sandbox, (call) => ({ status: 200, body: skuBody(call.param("product"), call.param("sku")) })),
    ),
    http.get(
      at(`${base}/products/:product/skus/:sku/availabilities`),
      read(sandbox, (call) => {
        const country = countryOf(call.query);
        return {
          status: 200,
          body: collection([handOut(sandbox, call.param("product"), call.param("sku"), country)]),
        };
      }),
    ),
  ];
}

/** Undefined for an item that was never handed out, or too long ago. */
export function currencyOfItem(sandbox: Sandbox, catalogItemId: string): string | undefined {
  const handedOut = sandbox.state.partner.catalogItems[catalogItemId];
  if (handedOut === undefined || sandbox.now() - handedOut > itemLife) return undefined;
  return catalogItemId.endsWith("US") ? "USD" : "INR";
}

function handOut(sandbox: Sandbox, product: string, sku: string, country: string): JsonObject {
  const seed = `${product}:${sku}:${country}:${Math.floor(sandbox.now() / hour)}`;
  // Ends in the country, by which a cart knows its currency.
  const id = createHash("sha256").update(seed).digest("hex").slice(0, 10).toUpperCase() + country;
  const catalogItemId = `${product}:${sku}:${id}`;
  const { catalogItems } = sandbox.state.partner;
  catalogItems[catalogItemId] = sandbox.now();
  for (const [item, time] of Object.entries(catalogItems))
    if (sandbox.now() - time > itemLife) delete catalogItems[item];
  return {
    id,
    productId: product,
    skuId: sku,
    catalogItemId,
    defaultCurrency: currencies[country] ?? currencies.IN,
    segment: "commercial",
    country,
    isPurchasable: true,
    isRenewable: true,
    isAutoRenewable: true,
    terms,
    links: {},
  };
}

function countryOf(query: URLSearchParams): string {
  const country = query.get("country")?.toUpperCase() ?? "";
  if (!(country in currencies))
    throw new PartnerError(400, 2000, `The country '${country}' is missing or not sold to.`);
  return country;
}

function productBody(id: string): JsonObject {
  return {
    id,
    title: `Sandbox product ${id}`,
    description: "",
    productType: { id: "OnlineServicesNCE", displayName: "OnlineServicesNCE" },
    isMicrosoftProduct: true,
    publisherName: "Microsoft Corporation",
  };
}

function skuBody(productId: string, id: string): JsonObject {
  return {
    id,
    productId,
    title: `Sandbox SKU ${productId}:${id}`,
    description: "",
    minimumQuantity: 1,
    maximumQuantity: mostSeats(productId),
    isTrial: false,
    supportedBillingCycles: ["monthly", "annual"],
    purchasePrerequisites: [],
    inventoryVariables: [],
    provisioningVariables: [],
    dynamicAttributes: {},
  };
}

function collection(items: readonly JsonObject[]): JsonObject {
  return { totalCount: items.length, items, attributes: { objectType: "Collection" } };
}
