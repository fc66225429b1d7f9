/** Finds the order that a call names, for its owner. */
import { type OrderId, parseId } from "#db/ids.ts";
import type { Order } from "#db/orders/order.ts";
import { notFound } from "#server/foundation/errors.ts";
import { getOrderFor } from "#server/orders/find.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { requesterOf } from "../../journey/guard.ts";

/** @throws DomainError not_found for an invalid id, an unknown order, or another owner's order */
export async function ownOrder(request: RequestContext, id: string): Promise<Order> {
  const orderId = parseId<OrderId>(id);
  if (orderId === null) throw notFound("order");
  return getOrderFor(request.context.db, orderId, requesterOf(request));
}
