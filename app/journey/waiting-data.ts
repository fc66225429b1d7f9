/** Where a page that waits for fulfilment asks, how often, and how soon it reloads where no script can ask. */

import type { Order } from "#db/order.ts";
import { brand } from "#server/brand.ts";
import type { Context } from "#server/context.ts";
import { unreachable } from "#server/errors.ts";
import * as paths from "#server/paths.ts";
import type { Wait } from "./waiting.tsx";

/** How often a page that waits asks the server; without scripts it is loaded again as often, in whole seconds. */
export function rhythmOf({ env }: Context): { waitMs: number; refreshSeconds: number } {
  const waitMs = env.INVITATION_POLL_MS;
  return { waitMs, refreshSeconds: Math.ceil(waitMs / 1000) };
}

/**
 * What a page shows of a paid order while it is carried out: a wait, or that a person looks after it; null when there is
 * something for the buyer to do or see.
 */
export function progressOf(context: Context, order: Order) {
  switch (order.fulfilmentStatus) {
    case "needs_attention":
      return { view: "attention" as const, orderId: order.id, supportUrl: brand.supportUrl };
    case "queued":
    case "running":
      return { view: "working" as const, ...waitFor(context, order) };
    case "not_due":
    case "waiting_for_signin":
    case "done":
      return null;
    default:
      return unreachable(order.fulfilmentStatus);
  }
}

function waitFor(context: Context, order: Order): Wait & { refreshSeconds: number } {
  return {
    waitUrl: paths.stage(order.id),
    waitState: order.stage,
    // The specification has the words for what is added; a renewal adds nothing.
    doing:
      order.kind === "RENEW"
        ? "We are renewing your subscription. This may take a minute."
        : "We are adding product to your account. This may take a minute.",
    ...rhythmOf(context),
  };
}
