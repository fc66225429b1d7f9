/**
 * The paths of Cloud Channel. A resource's name and its `:verb` share one path segment, so a parameter must stop at a colon (or
 * `customers/C1:import` would be the customer `C1:import`), and the verb's own colon is escaped.
 */
import { anyOrigin } from "../http-helpers.ts";
import type { Call } from "./calls.ts";

const base = "/google-channel/v1";
const account = `${base}/accounts/:account([^/:]+)`;
const customer = `${account}/customers/:customer([^/:]+)`;
const entitlement = `${customer}/entitlements/:entitlement([^/:]+)`;

export const paths = {
  products: anyOrigin(`${base}/products`),
  skus: anyOrigin(`${base}/products/:product([^/:]+)/skus`),
  account: (verb: string) => anyOrigin(`${account}\\:${verb}`),
  offers: anyOrigin(`${account}/offers`),
  customers: anyOrigin(`${account}/customers`),
  customersVerb: (verb: string) => anyOrigin(`${account}/customers\\:${verb}`),
  customer: anyOrigin(customer),
  customerVerb: (verb: string) => anyOrigin(`${customer}\\:${verb}`),
  entitlements: anyOrigin(`${customer}/entitlements`),
  entitlement: anyOrigin(entitlement),
  entitlementVerb: (verb: string) => anyOrigin(`${entitlement}\\:${verb}`),
  operation: anyOrigin(`${base}/operations/:operation([^/:]+)`),
};

export function accountName(call: Call): string {
  return `accounts/${call.param("account")}`;
}

export function customerName(call: Call): string {
  return `${accountName(call)}/customers/${call.param("customer")}`;
}

export function entitlementName(call: Call): string {
  return `${customerName(call)}/entitlements/${call.param("entitlement")}`;
}
