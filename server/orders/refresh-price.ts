/** Gives a draft today's price and tax where those it has no longer hold, before somebody is bound by them. */
import type { Order } from "#db/orders/order.ts";
import type { Trx } from "#db/tables/index.ts";
import { getItem } from "#server/catalogue/items.ts";
import { reprice, updateTax } from "./draft.ts";
import { lockOrder } from "./find.ts";
import { newSelection } from "./subscription-change.ts";
import type { SellersByCountry } from "./supply.ts";

/**
 * Stores what is new of a locked draft, and takes back what was begun to be paid for it then.
 * @returns the order as it is now
 * @throws DomainError when it is not sold that way any more
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
