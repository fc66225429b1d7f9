/** The books of both sides after a drill: buyers' payments, vendors' charges, and both sides' data on every subscription. */
import { endOfTerm } from "#server/orders/subscriptions/term.ts";
import type { ProviderState } from "#tests/support/provider-state.ts";
import type { TimeTravelWorld } from "#tests/support/time-travel-world.ts";
import { rowOf, type Subject } from "./year.ts";

/** State of one subscription: its seats, dates and status. */
export interface Standing {
  state: string;
  seats: number;
  /** Unix time in whole seconds, because vendors write dates in different precision. */
  end: number;
  /** Start of the current or last term. */
  start: number | undefined;
}

const seconds = (moment: Date | number) => Math.floor(Number(moment) / 1000);

export async function storesStanding(world: TimeTravelWorld, subject: Subject): Promise<Standing> {
  const row = await rowOf(world, subject);
  return {
    state: row.status === "active" && row.suspended ? "suspended" : row.status,
    seats: row.quantity,
    end: seconds(row.end_date),
    start: seconds(row.start_date),
  };
}

/** @returns null for a subscription without a vendor */
export function vendorsStanding(vendors: ProviderState, externalId: string): Standing | null {
  const { subscriptions } = vendors.partnerCenter;
  const start = vendors.bills.findLast(
    ({ subscriptionId, kind }) => subscriptionId === externalId && kind !== "seats",
  )?.startsAt;
  const rest = { start: start === undefined ? undefined : seconds(start) };
  const subscription = subscriptions.find(({ id }) => id === externalId);
  if (subscription !== undefined) {
    const { status: state, quantity: seats, endsAt } = subscription;
    return { ...rest, state, seats, end: seconds(endsAt) };
  }
  const entitlement = vendors.google.entitlements.find(({ name }) => name === externalId);
  if (entitlement === undefined) return null;
  const { numUnits: seats, endsAt, suspendedFor } = entitlement;
  const stopped = suspendedFor === "RENEWAL_WITH_TYPE_CANCEL" ? "expired" : "suspended";
  return { ...rest, state: suspendedFor === null ? "active" : stopped, seats, end: seconds(endsAt) };
}

/** Items that a subscription's buyers paid for, in the vendor's terms: "term of 4", "2 seats". */
export async function paidFor(world: TimeTravelWorld, subject: Subject): Promise<string[]> {
  const row = await rowOf(world, subject);
  const orders = await world.context.db
    .selectFrom("orders")
    .innerJoin("order_lines", "order_lines.order_id", "orders.id")
    .innerJoin("payments", "payments.order_id", "orders.id")
    .select(["orders.kind", "order_lines.quantity", "orders.paid_at", "orders.stage"])
    .where((eb) => eb.or([eb("orders.id", "=", subject.orderId), eb("orders.subscription_id", "=", row.id)]))
    .where("payments.status", "=", "captured")
    .orderBy("orders.paid_at")
    .execute();
  const charged: string[] = [];
  let end = new Date(0);
  let next: number | null = null;
  const begin = (seats: number, at: Date) => {
    charged.push(`term of ${seats}`);
    end = endOfTerm(at, subject.plan.term, "IN");
  };
  const passTo = (moment: Date) => {
    if (next === null || end > moment) return;
    begin(next, end);
    next = null;
  };
  for (const { kind, quantity, paid_at, stage } of orders) {
    if (paid_at === null || stage !== "stage4") {
      charged.push(`${kind} paid and not carried out`);
      continue;
    }
    passTo(paid_at);
    if (kind === "ADD") {
      charged.push(`${quantity} seats`);
      if (next !== null) next += quantity;
    } else if (kind === "RENEW" && end > paid_at) next = quantity;
    else begin(quantity, paid_at);
  }
  passTo(world.clock.now());
  return charged;
}

/** Items that the vendor has charged for a row's subscriptions, less returns. */
export function chargedFor(vendors: ProviderState, externalIds: readonly string[]): string[] {
  return vendors.bills
    .filter(({ subscriptionId, seats }) => externalIds.includes(subscriptionId) && seats > 0)
    .map(({ kind, seats }) => (kind === "seats" ? `${seats} seats` : `${kind} of ${seats}`));
}
