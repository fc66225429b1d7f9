/**
 * The paths of Cloud Channel. A resource's name and its `:verb` share one path segment, so a parameter must stop at a colon (or
 * `customers/C1:import` would be the customer `C1:import`), and the verb's own colon is escaped.
 */
import { at } from "../wire.ts";
import type { Call } from "./calls.ts";

const base = "/google-channel/v1";
const account = `${base}/accounts/:account([^/:]+)`;
const customer = `${account}/customers/:customer([^/:]+)`;
const entitlement = `${customer}/entitlements/:entitlement([^/:]+)`;

export const paths = {
  products: at(`${base}/products`),
  skus: at(`${base}/products/:product([^/:]+)/skus`),
  account: (verb: string) => at(`${account}\\:${verb}`),
  offers: at(`${account}/offers`),
  customers: at(`${account}/customers`),
  customersVerb: (verb: string) => at(`${account}/customers\\:${verb}`),
  customer: at(customer),
  customerVerb: (verb: string) => at(`${customer}\\:${verb}`),
  entitlements: at(`${customer}/entitlements`),
  entitlement: at(entitlement),
  entitlementVerb: (verb: string) => at(`${entitlement}\\:${verb}`),
  operation: at(`${base}/operations/:operation([^/:]+)`),
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
