/**
 * What Google sells: whatever product and SKU it is asked for, so that the store's seed alone says what exists; a SKU starting
 * `unknown` is not sold. An offer's id holds its SKU and plan under a seal, so that an invented one is found out and a real one is
 * known for ever. The flexible plan is listed first and cannot be bought here: a client must look for the plan it means.
 */
import { createHash } from "node:crypto";
import { type HttpHandler, http } from "msw";
import { z } from "zod";
import type { Sandbox } from "../sandbox.ts";
import type { JsonObject } from "../wire.ts";
import { channel, GoogleError, parse, read } from "./calls.ts";
import { customerOf } from "./customers.ts";
import type { GoogleCustomer } from "./entities.ts";
import { skuName } from "./mode.ts";
import { accountName, paths } from "./paths.ts";

const inRegion = z.object({ regionCode: z.string() });

type Plan = "COMMITMENT" | "FLEXIBLE";

export const fewestUnits = 1;
export const mostUnits = 300;

const plans: Readonly<Record<Plan, { periodType: string; units: string; title: string }>> = {
  FLEXIBLE: { periodType: "MONTH", units: "max_units", title: "Flexible Plan" },
  COMMITMENT: { periodType: "YEAR", units: "num_units", title: "Annual Plan (Yearly Payment)" },
};

export function googleOfferHandlers(sandbox: Sandbox): HttpHandler[] {
  return [
    http.get(
      paths.customerVerb("listPurchasableOffers"),
      read(sandbox, channel, (call) => {
        const customer = customerOf(sandbox, call);
        const sku = parse(skuName, call.query.get("createEntitlementPurchase.sku"));
        const offers = offersOf(accountName(call), sku, customer);
        return { purchasableOffers: offers.map((offer) => ({ offer })) };
      }),
    ),
  ];
}

export function offersOf(account: string, sku: string, customer: GoogleCustomer | undefined): JsonObject[] {
  if (/\/unknown[^/]*$/.test(sku)) return [];
  return [offerBody(account, sku, "FLEXIBLE", customer), offerBody(account, sku, "COMMITMENT", customer)];
}

/** @returns the SKU. @throws GoogleError NOT_FOUND for an offer that was never listed, INVALID_ARGUMENT for a flexible one. */
export function skuOfOffer(account: string, name: string): string {
  const [, id = "", seal] = /^(?:.*)\/offers\/([\w-]+)\.([\w-]+)$/.exec(name) ?? [];
  const [plan = "", sku = ""] = Buffer.from(id, "base64url").toString().split(" ");
  if (!name.startsWith(`${account}/offers/`) || seal !== sealOf(id))
    throw new GoogleError("NOT_FOUND", `The offer ${name} was not found.`);
  if (plan !== "COMMITMENT")
    throw new GoogleError(
      "INVALID_ARGUMENT",
      "The offer is a flexible plan, which this reseller does not sell.",
    );
  return sku;
}

export function commitmentOffer(account: string, sku: string): string {
  return offerName(account, sku, "COMMITMENT");
}

export function skuBody(sku: string): JsonObject {
  const [, product = "", , id = ""] = sku.split("/");
  return {
    name: sku,
    marketingInfo: { displayName: `Sandbox SKU ${id}` },
    product: { name: `products/${product}`, marketingInfo: { displayName: `Sandbox product ${product}` } },
  };
}

function offerName(account: string, sku: string, plan: Plan): string {
  const id = Buffer.from(`${plan} ${sku}`).toString("base64url");
  return `${account}/offers/${id}.${sealOf(id)}`;
}

function sealOf(id: string): string {
  return createHash("sha256").update(`sandbox-offer ${id}`).digest("base64url").slice(0, 8);
}

function offerBody(
  account: string,
  sku: string,
  plan: Plan,
  customer: GoogleCustomer | undefined,
): JsonObject {
  const { periodType, units, title } = plans[plan];
  const region = inRegion.safeParse(customer?.profile.orgPostalAddress).data?.regionCode;
  const currencyCode = region?.toUpperCase() === "US" ? "USD" : "INR";
  const price = { currencyCode, units: "100" };
  return {
    name: offerName(account, sku, plan),
    marketingInfo: { displayName: title },
    sku: skuBody(sku),
    plan: { paymentPlan: plan, paymentType: "POSTPAY", paymentCycle: { duration: 1, periodType } },
    constraints: { customerConstraints: { allowedRegions: ["IN", "US"], allowedCustomerTypes: ["DOMAIN"] } },
    priceByResources: [{ resourceType: "SEAT", price: { basePrice: price, effectivePrice: price } }],
    startTime: "2025-01-01T00:00:00Z",
    parameterDefinitions: [
      {
        name: units,
        parameterType: "INT64",
        minValue: { int64Value: String(fewestUnits) },
        maxValue: { int64Value: String(mostUnits) },
        optional: false,
      },
    ],
  };
}
