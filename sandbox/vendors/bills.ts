import type { Bill } from "./charge.ts";
import { guidOf } from "./http-helpers.ts";
import type { Sandbox } from "./sandbox.ts";

/** A line of a vendor's invoice. */
export interface BillLine extends Bill {
  id: string;
  unitPrice: number;
  /** Amount for all its seats, for the charged part of the term. */
  amount: number;
}

/**
 * A vendor's bill for a month, available once the month is over. Charges without a price are not billed.
 * @param termMonths months of a subscription's term by its id; null for another vendor's
 * @param month "2026-11"
 */
export function billLines(
  sandbox: Sandbox,
  termMonths: (charged: Bill) => number | null,
  month: string,
): BillLine[] {
  if (month >= monthOf(sandbox.now())) return [];
  return sandbox.state.bills.flatMap((charged, index) => {
    const months = termMonths(charged);
    const { unitPrice, seats, startsAt, endsAt, kind } = charged;
    if (months === null || unitPrice === null || monthOf(startsAt) !== month) return [];
    const share = kind === "seats" ? (endsAt - startsAt) / (endsAt - monthsBefore(endsAt, months)) : 1;
    const amount = Math.round(unitPrice * seats * share * 100) / 100;
    return [{ ...charged, unitPrice, amount, id: guidOf(`bill ${index} ${charged.subscriptionId}`) }];
  });
}

/** Moves all charges of a subscription so far into the past by this number of milliseconds. */
export function backdateCharges(sandbox: Sandbox, id: string, earlierByMs: number): void {
  for (const charged of sandbox.state.bills) {
    if (charged.subscriptionId !== id) continue;
    charged.startsAt -= earlierByMs;
    charged.endsAt -= earlierByMs;
  }
}

/** Past months with lines, oldest first. */
export function billedMonths(sandbox: Sandbox, termMonths: (charged: Bill) => number | null): string[] {
  const months = new Set(sandbox.state.bills.map(({ startsAt }) => monthOf(startsAt)));
  return [...months].filter((month) => billLines(sandbox, termMonths, month).length > 0).toSorted();
}

export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

function monthsBefore(time: number, months: number): number {
  const before = new Date(time);
  before.setUTCDate(1);
  before.setUTCMonth(before.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 0)).getUTCDate();
  before.setUTCDate(Math.min(new Date(time).getUTCDate(), lastDay));
  return before.getTime();
}
