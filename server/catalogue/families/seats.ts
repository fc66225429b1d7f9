/**
 * Adds seats at vendors that take a new total, never a difference. Orders for one subscription take turns, and each stores its
 * total before it requests it.
 */

import { z } from "zod";
import type { Order } from "#db/orders/order.ts";
import type { Subscription } from "#db/orders/subscriptions.ts";
import type { Context } from "#server/platform/context.ts";
import { type Attempt, forgetStep, providerStep } from "#server/platform/stored-steps/step.ts";
import { isSameEnd } from "./same-end.ts";

const planName = "seats-plan";
export const seatsPlan = z.object({ from: z.number(), to: z.number() });
export type SeatsPlan = z.output<typeof seatsPlan>;

/**
 * Returns the seats of a next term that is already paid for. Added seats count only when their proration runs to the end of that
 * term.
 */
export function seatsOfNextTerm(
  { line, details }: Order,
  { next, end }: Pick<Subscription, "next" | "end">,
): number {
  return (next?.quantity ?? 0) + (isSameEnd(details.proration?.until, end) ? line.quantity : 0);
}

/**
 * Stores the total before it is requested, so that a retry in doubt requests the same one. If nothing has been requested yet, or
 * the request was clearly refused, the total is recomputed, since another order may have had its turn in the meantime.
 * @param seats asks the vendor for the current number of seats
 */
export async function planSeats(
  context: Context,
  order: Order,
  { inDoubt, look }: Attempt,
  seats: () => Promise<number>,
): Promise<SeatsPlan> {
  if (!inDoubt) await forgetStep(context, order.id, planName);
  return look(() =>
    providerStep(context, order.id, planName, seatsPlan, async (attempt) => {
      const from = await attempt.look(seats);
      return { from, to: from + order.line.quantity };
    }),
  );
}

/** Returns the requested total. @throws RangeError when there is none */
export function readSeatsPlan(context: Context, order: Order): Promise<SeatsPlan> {
  return providerStep(context, order.id, planName, seatsPlan, () =>
    Promise.reject(new RangeError("Seats were added of which there is no plan")),
  );
}
