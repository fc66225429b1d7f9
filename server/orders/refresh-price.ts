/** Applies the current price and tax to a draft whose own no longer apply, before the buyer is bound by them. */
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { getItem } from "#server/catalogue/items.ts";
import { reprice, updateTax } from "./draft.ts";
import { lockOrder } from "./find.ts";
import { newSelection } from "./subscription-change.ts";
import type { SellersByCountry } from "./supply.ts";

/**
 * Reprices a locked draft if its price or tax no longer applies, and supersedes its payment in that case.
 * @returns the current order
 * @throws DomainError when the selection is no longer sold
 */
export async function atTodaysPrice(
  trx: Trx,
  order: Order,
  sellers: SellersByCountry,
  now: Date,
): Promise<Order> {
  const selection = await newSelection(trx, order, now);
  if (selection !== null) {
    const item = await getItem(trx, order.itemId, { includeRetired: order.subscriptionId !== null });
    await reprice(trx, order, { item, selection, placement: null, sellers, now });
    return lockOrder(trx, order.id);
  }
  return (await updateTax(trx, order, sellers, now)) ? lockOrder(trx, order.id) : order;
}
