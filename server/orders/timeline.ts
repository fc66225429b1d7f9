/** A buyer's timeline of a paid order: past events, and those still to come. */
import type { Order } from "#db/orders/order.ts";
import { readOrderMilestones } from "#db/orders/order-milestones.ts";
import type { Db } from "#db/tables/index.ts";
import { families } from "#server/catalogue/families/registry.ts";
import { isPaid } from "./payment-state.ts";

export const events = ["paid", "account", "ready", "mailed"] as const;

export interface OrderEvent {
  what: (typeof events)[number];
  /** Null for an event still to come. */
  at: Date | null;
}

/**
 * Lists the events in order of time. "account" is only in it when an account is created: an order that staff marked as
 * fulfilled can be ready without one. Empty before payment.
 */
export async function timelineOf(db: Db, order: Order): Promise<OrderEvent[]> {
  const moments = isPaid(order) ? await readOrderMilestones(db, order.id) : null;
  if (moments === null) return [];
  const { paidAt, makesAccount, accountAt, fulfilledAt, mailedAt } = moments;
  const at = { paid: paidAt, account: accountAt, ready: fulfilledAt, mailed: mailedAt };
  const hasAccount = accountAt !== null || (fulfilledAt === null && (makesAccount || asksForAccount(order)));
  return events.filter((what) => what !== "account" || hasAccount).map((what) => ({ what, at: at[what] }));
}

/** Whether the sign-in answers require a new account, which is known before the vendor creates it. */
function asksForAccount(order: Order): boolean {
  const { signIn, family } = order;
  return signIn !== null && signIn.mode !== "existing" && families[family].movedWords(order) === null;
}
