/** Where an order is opened: pages lead to it, mails link to it. */

import type { Order } from "#db/order.ts";
import { unreachable } from "#server/errors.ts";
import * as paths from "#server/paths.ts";

export type Addressed = Pick<Order, "id" | "kind" | "family" | "itemId" | "country" | "subscriptionId">;

/** The order's own link, which leads to the step of its saved stage. */
export function orderPath({ id, kind, family, itemId, country, subscriptionId }: Addressed): string {
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
      return unreachable(kind);
  }
}
