/** The filters of My Orders, in its URL and as labels. */
import { z } from "zod";
import type { CustomerId } from "#db/ids.ts";
import type { Country, OrderKind } from "#db/tables/enums.ts";
import {
  type OrderFilter,
  type OrderState,
  orderStates,
  yearsOfOrders,
} from "#server/billing/books/order-filter.ts";
import { yearName } from "#server/billing/books/years.ts";
import type { PlainMessageKey } from "#server/foundation/languages/messages.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { orderKindKeys } from "../../journey/order-labels.ts";
import type { ListChoice } from "../../ui/list.tsx";

const stateKeys: Readonly<Record<OrderState, PlainMessageKey>> = {
  "needs-sign-in": "orders.needsSignIn",
  "setting-up": "orders.settingUp",
  "looked-after": "orders.lookedAfter",
  completed: "orders.done",
  "partly-refunded": "orders.partlyRefunded",
  disputed: "orders.disputed",
  refunded: "orders.refunded",
  lost: "orders.lost",
};

const kinds = ["NEW", "TUP", "ADDON", "ADD", "RENEW"] as const satisfies readonly OrderKind[];

/** Ignores a value that is unknown or empty. */
const querySchema = z.object({
  state: z.enum(orderStates).optional().catch(undefined),
  kind: z.enum(kinds).optional().catch(undefined),
  year: z.coerce.number().int().min(2000).max(2999).optional().catch(undefined),
});

export function orderFilterOf({ searchParams }: URL): OrderFilter {
  return querySchema.parse(Object.fromEntries(searchParams));
}

/** @param customer null for a user without a company, and so without orders */
export async function choicesOfOrders(
  { context, text }: RequestContext,
  customer: { id: CustomerId; country: Country } | null,
): Promise<ListChoice[]> {
  if (customer === null) return [];
  const years = await yearsOfOrders(context.db, customer, new Date());
  return [
    {
      name: "state",
      label: text("orders.status"),
      all: text("orders.allStates"),
      options: orderStates.map((value) => ({ value, label: text(stateKeys[value]) })),
    },
    {
      name: "kind",
      label: text("orders.orderType"),
      all: text("orders.allTypes"),
      options: kinds.map((value) => ({ value, label: text(orderKindKeys[value]) })),
    },
    {
      name: "year",
      label: text("orders.year"),
      all: text("orders.allYears"),
      options: years.map((year) => ({ value: String(year), label: yearName(year, customer.country) })),
    },
  ];
}
