/** My Orders and the cart: what a company has paid for, and what it has begun but not paid. */

import type { Order } from "#db/order.ts";
import { listOrders, type OrderOwner, type OrdersAsked, type OrdersTotal, totalCart } from "#db/orders.ts";
import type { Db } from "#db/tables/index.ts";
import { type ListPage, type ListQuery, listPage, pageAsked } from "#server/lists.ts";
import type { Asker } from "./find.ts";
import { readOrderNumber } from "./number.ts";

/**
 * The paid orders of the asker's company, newest first. Viewers see them too.
 * @throws DomainError bad_request for an invalid search or page
 */
export async function listPaidOrders(db: Db, asker: Asker, query: ListQuery = {}): Promise<ListPage<Order>> {
  const owners = asker.customer === null ? [] : [{ customerId: asker.customer.id }];
  const found = await listOrders(db, owners, ordersAsked("paid", query));
  return listPage(found);
}

/**
 * The cart: orders begun, not paid and not removed, newest first. They belong to the asker's company, to the asker before
 * there was a company, or to the asker's browser before anybody logged in.
 * @throws DomainError bad_request for an invalid search or page
 */
export async function listCart(db: Db, asker: Asker, query: ListQuery = {}): Promise<ListPage<Order>> {
  const found = await listOrders(db, cartOwners(asker), ordersAsked("cart", query));
  return listPage(found);
}

function ordersAsked(which: OrdersAsked["which"], query: ListQuery): OrdersAsked {
  const asked = pageAsked(query);
  return { ...asked, which, number: asked.search === null ? null : readOrderNumber(asked.search) };
}

/** The total of the whole cart, not only of the listed page: one per currency. */
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
