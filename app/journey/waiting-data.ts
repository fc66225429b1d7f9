/** Texts and polling interval of a waiting page. */

import type { Order } from "#db/orders/order.ts";
import { brand } from "#server/foundation/brand.ts";
import { assertNever } from "#server/foundation/errors.ts";
import * as paths from "#server/foundation/paths.ts";
import { translateNote } from "#server/fulfilment/buyer-notes.ts";
import { orderNumber } from "#server/orders/number.ts";
import type { Context } from "#server/platform/context.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { ProgressPoll } from "./order-progress.tsx";
import { timelineIn } from "./timeline-data.ts";

/** The polling interval of waiting pages. Without scripts they reload at the same interval, in whole seconds. */
export function pollIntervalOf({ env }: Context): { waitMs: number; refreshSeconds: number } {
  const waitMs = env.INVITATION_POLL_MS;
  return { waitMs, refreshSeconds: Math.ceil(waitMs / 1000) };
}

/**
 * The progress of a paid order during fulfilment: a wait, or that a person is handling it. Null when the buyer has something
 * to do or see.
 */
export async function progressOf(request: RequestContext, order: Order) {
  switch (order.fulfilmentStatus) {
    case "needs_attention":
      return {
        view: "attention" as const,
        orderNumber: orderNumber(order),
        supportUrl: brand.supportUrl,
        problem: translateNote(request.language, order),
        timeline: await timelineIn(request, order, { isUnderWay: false }),
      };
    case "queued":
    case "running":
      return { view: "working" as const, ...(await waitFor(request, order)) };
    case "not_due":
    case "waiting_for_signin":
    case "done":
      return null;
    default:
      return assertNever(order.fulfilmentStatus);
  }
}

async function waitFor(
  request: RequestContext,
  order: Order,
): Promise<ProgressPoll & { refreshSeconds: number }> {
  const { context, text, language } = request;
  return {
    waitUrl: paths.stage(order.id),
    waitState: order.stage,
    // The specification words this for added licences. A renewal adds none.
    doing: text(order.kind === "RENEW" ? "waiting.renewing" : "waiting.adding"),
    note: translateNote(language, order),
    timeline: await timelineIn(request, order, { isUnderWay: true }),
    ...pollIntervalOf(context),
  };
}
