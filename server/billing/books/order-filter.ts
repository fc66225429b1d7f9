/**
 * Filters a list of paid orders in addition to its search: by the state shown to the buyer, the kind, and the accounting year.
 */
import type { CustomerId } from "#db/ids.ts";
import type { OrderNarrowing } from "#db/orders/order-lists.ts";
import { firstPaidOrderAt } from "#db/orders/orders.ts";
import type { Country, FulfilmentStatus, OrderKind, PaymentStatus } from "#db/tables/enums.ts";
import type { Db } from "#db/tables/index.ts";
import { spanOfYear, yearsBetween } from "#server/billing/books/years.ts";

export const orderStates = [
  "needs-sign-in",
  "setting-up",
  "looked-after",
  "completed",
  "partly-refunded",
  "disputed",
  "refunded",
  "lost",
] as const;
export type OrderState = (typeof orderStates)[number];

/** Payment statuses in which at least a part of the money is still ours. */
const ours = ["completed", "partly_refunded", "disputed"] as const satisfies readonly PaymentStatus[];
const anywhere = [
  "not_due",
  "waiting_for_signin",
  "queued",
  "running",
  "done",
  "needs_attention",
] as const satisfies readonly FulfilmentStatus[];

/** Maps each state to stored statuses. Every paid order has exactly one of these states. */
const storedAs = {
  "needs-sign-in": { payment: ours, fulfilment: ["waiting_for_signin"] },
  "setting-up": { payment: ours, fulfilment: ["not_due", "queued", "running"] },
  "looked-after": { payment: ours, fulfilment: ["needs_attention"] },
  completed: { payment: ["completed"], fulfilment: ["done"] },
  "partly-refunded": { payment: ["partly_refunded"], fulfilment: ["done"] },
  disputed: { payment: ["disputed"], fulfilment: ["done"] },
  refunded: { payment: ["refunded"], fulfilment: anywhere },
  lost: { payment: ["lost"], fulfilment: anywhere },
} as const satisfies Readonly<Record<OrderState, OrderNarrowing["state"]>>;

export interface OrderFilter {
  state?: OrderState | undefined;
  kind?: OrderKind | undefined;
  /** The calendar year in which the accounting year begins. */
  year?: number | undefined;
}

export function narrowingOf({ state, kind, year }: OrderFilter, country: Country): OrderNarrowing {
  return {
    kind,
    state: state && storedAs[state],
    begun: year === undefined ? undefined : spanOfYear(year, country),
  };
}

/** Lists the accounting years in which a company can have paid orders, newest first. */
export async function yearsOfOrders(
  db: Db,
  { id, country }: { id: CustomerId; country: Country },
  now: Date,
): Promise<number[]> {
  return yearsBetween((await firstPaidOrderAt(db, id)) ?? now, now, country);
}
