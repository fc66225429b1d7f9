/** Where a page that waits for fulfilment asks, how often, and how soon it reloads where no script can ask. */
import type { Context } from "#server/context.ts";
import type { Order } from "#server/orders/order.ts";
import { paths } from "../paths.ts";
import type { Wait } from "./waiting.tsx";

/** Seconds between reloads without scripts (SPEC section 9 polls as often). */
export const refreshSeconds = 5;

export function waitFor(context: Context, order: Order): Wait & { refreshSeconds: number } {
  return {
    waitUrl: paths.stage(order.id),
    waitState: order.stage,
    waitMs: context.env.INVITATION_POLL_MS,
    refreshSeconds,
  };
}
