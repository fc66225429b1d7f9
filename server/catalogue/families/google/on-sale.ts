/** Whether Google still sells a plan, and for what. */
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { pickYearlyCommitment, skuName, yearlyPrice } from "#server/integrations/google.ts";
import type { Context } from "#server/platform/context.ts";
import { notFoundByName, roundUpToMinor, type SaleCheck } from "../vendor-catalogue.ts";
import { skuOf } from "./catalogue.ts";

/**
 * Nothing is bought at a price that nobody knows. A running commitment has its offer: its renewal and more of its licences are sold
 * without asking, only a lapsed one is bought again.
 */
export function requiresKnownCost({ kind, details }: Order): boolean {
  const termEnd = details.renewal?.after;
  return kind !== "ADD" && (termEnd === undefined || new Date(termEnd) <= new Date());
}

/** @throws ProviderError */
export async function isOnSale(context: Context, order: Order): Promise<SaleCheck> {
  if (!requiresKnownCost(order)) return { isSold: true };
  try {
    const sku = await skuOf(context, order);
    const offer = pickYearlyCommitment(await context.google.listOffers(sku), skuName(sku), order.country);
    if (offer === undefined) return { isSold: false };
    const price = yearlyPrice(offer);
    const { currency } = order.line.unitPrice;
    const isComparable = price !== undefined && price.currency === currency;
    return { isSold: true, cost: isComparable ? money(roundUpToMinor(price.ours), currency) : undefined };
  } catch (error) {
    if (error instanceof ProviderError && error.code === notFoundByName) return { isSold: false };
    throw error;
  }
}
