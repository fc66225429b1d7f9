/** The URL path that opens an order, for pages and mails. */

import type { Order } from "#db/orders/order.ts";
import { assertNever } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";

export type OrderPathParts = Pick<Order, "id" | "kind" | "family" | "itemId" | "country" | "subscriptionId">;

/** Builds the path that leads to the order's current step. */
export function orderPath({ id, kind, family, itemId, country, subscriptionId }: OrderPathParts): string {
  switch (kind) {
    case "NEW":
      return paths.order({ id, family, item: itemId, country });
    case "TUP":
      return paths.contract({ id, family });
    case "ADDON":
      return paths.addOn({ id });
    case "ADD":
      return paths.seatsOrder({ id, subscriptionId: subscriptionId ?? "" });
    case "RENEW":
      return paths.renewalOrder({ id, subscriptionId: subscriptionId ?? "" });
    default:
      return assertNever(kind);
  }
}

/** Builds the path of one step. A step that is not reachable redirects to the order's current one. */
export function stepPath(order: OrderPathParts, slug: paths.OrderStepSlug): string {
  return `${orderPath(order)}/${slug}`;
}
