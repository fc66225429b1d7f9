/** My Orders and the cart: what a company has paid for, and what it has begun and not paid. */

import type { Order } from "#db/order.ts";
import { listOrders, type OrderOwner, type OrdersTotal, totalCart } from "#db/orders.ts";
import type { Db } from "#db/tables/index.ts";
import { type ListPage, type ListQuery, listPage, pageAsked } from "#server/lists.ts";
import type { Asker } from "./find.ts";

/**
 * The asker's company's paid orders, the newest first; a viewer sees them too.
 * @throws DomainError bad_request for a search or a page that can be none
 */
export async function listPaidOrders(db: Db, asker: Asker, query: ListQuery = {}): Promise<ListPage<Order>> {
  const owners = asker.customer === null ? [] : [{ customerId: asker.customer.id }];
  const found = await listOrders(db, owners, { ...pageAsked(query), which: "paid" });
  return listPage(found);
}

/**
 * The cart: orders begun, not paid and not removed, the newest first. Those of the asker's company, of the asker before
 * there is a company, and of the asker's browser before anybody signed in.
 * @throws DomainError bad_request for a search or a page that can be none
 */
export async function listCart(db: Db, asker: Asker, query: ListQuery = {}): Promise<ListPage<Order>> {
  const found = await listOrders(db, cartOwners(asker), { ...pageAsked(query), which: "cart" });
  return listPage(found);
}

/** What everything in the cart costs together, whatever is listed of it: one total a currency. */
export async function totalOfCart(db: Db, asker: Asker): Promise<OrdersTotal[]> {
  return totalCart(db, cartOwners(asker));
}

function cartOwners({ customer, userId, draftKey }: Asker): OrderOwner[] {
  return [
    ...(customer === null ? [] : [{ customerId: customer.id }]),
    ...(userId === null ? [] : [{ userId }]),
    ...(draftKey === null ? [] : [{ draftKey }]),
  ];
}
