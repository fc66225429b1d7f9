/** My Orders and the cart: what a company has paid for, and what it has begun but not paid. */

import type { Order } from "#db/orders/order.ts";
import { listOrders, type OrderNarrowing, type OrderQuery } from "#db/orders/order-lists.ts";
import type { OrderOwner } from "#db/orders/orders.ts";
import type { Db } from "#db/tables/index.ts";
import { type ListPage, type ListQuery, listPage, parsePageQuery } from "#server/foundation/list-paging.ts";
import type { Requester } from "./find.ts";
import { readOrderNumber } from "./number.ts";

/**
 * The paid orders of the requester's company, newest first. Viewers see them too.
 * @param narrowing what it is narrowed to beside its search
 * @throws DomainError bad_request for an invalid search or page
 */
export async function listPaidOrders(
  db: Db,
  requester: Requester,
  query: ListQuery = {},
  narrowing: OrderNarrowing = {},
): Promise<ListPage<Order>> {
  const owners = requester.customer === null ? [] : [{ customerId: requester.customer.id }];
  const found = await listOrders(db, owners, orderQuery("paid", query, narrowing));
  return listPage(found);
}

/**
 * The cart: orders begun, not paid and not removed, newest first. They belong to the requester's company, to the requester before
 * there was a company, or to the requester's browser before anybody logged in.
 * @throws DomainError bad_request for an invalid search or page
 */
export async function listCart(
  db: Db,
  requester: Requester,
  query: ListQuery = {},
): Promise<ListPage<Order>> {
  const found = await listOrders(db, cartOwners(requester), orderQuery("cart", query));
  return listPage(found);
}

/** The orders of the cart for which a bank account waits. */
export async function listAwaitedTransfers(db: Db, requester: Requester): Promise<Order[]> {
  return (await listOrders(db, cartOwners(requester), orderQuery("awaited", {}))).rows;
}

function orderQuery(
  which: OrderQuery["which"],
  query: ListQuery,
  narrowing: OrderNarrowing = {},
): OrderQuery {
  const listQuery = parsePageQuery(query);
  return {
    ...listQuery,
    which,
    narrowing,
    number: listQuery.search === null ? null : readOrderNumber(listQuery.search),
  };
}

function cartOwners({ customer, userId, draftKey }: Requester): OrderOwner[] {
  return [
    ...(customer === null ? [] : [{ customerId: customer.id }]),
    ...(userId === null ? [] : [{ userId }]),
    ...(draftKey === null ? [] : [{ draftKey }]),
  ];
}
