/** Whether Google still sells a plan, and at which price. */
import { money } from "#db/money.ts";
import type { Order } from "#db/orders/order.ts";
import { ProviderError } from "#server/integrations/errors.ts";
import { pickYearlyCommitment, skuName, yearlyPrice } from "#server/integrations/google.ts";
import type { Context } from "#server/platform/context.ts";
import { notFoundByName, roundUpToMinor, type SaleCheck } from "../vendor-catalogue.ts";
import { skuOf } from "./catalogue.ts";

/**
 * Whether the price must be known: nothing is bought at an unknown price. A running commitment has its offer, so its renewal and
 * more licences need no query; only a lapsed one is bought again.
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
