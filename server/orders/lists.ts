/** My Orders and the cart: a company's paid orders, and those begun but not paid. */

import type { Order } from "#db/orders/order.ts";
import { listOrders, type OrderNarrowing, type OrderQuery } from "#db/orders/order-lists.ts";
import type { OrderOwner } from "#db/orders/orders.ts";
import type { Db } from "#db/tables/index.ts";
import { type ListPage, type ListQuery, listPage, parsePageQuery } from "#server/foundation/list-paging.ts";
import type { Requester } from "./find.ts";
import { readOrderNumber } from "./number.ts";

/**
 * Lists the paid orders of the requester's company, newest first. Viewers see them too.
 * @param narrowing filters in addition to the search
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
 * Lists the cart: orders begun, not paid and not removed, newest first. They belong to the requester's company, to the
 * requester from before there was a company, or to the browser from before the login.
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

/** Lists the orders of the cart that expect a bank transfer. */
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
