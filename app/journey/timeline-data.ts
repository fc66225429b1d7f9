/** An order's timeline in words, for the pages of a paid order. */
import type { Order } from "#db/order.ts";
import { timelineOf } from "#server/orders/timeline.ts";
import { formatTime } from "#server/subscriptions/dates.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Happening } from "../ui/story.tsx";

export interface Timeline {
  label: string;
  steps: { title: string; state: Happening; stateWord?: string; when: string | null }[];
}

/** @param isUnderWay false while an order waits for a person: then nothing goes on by itself */
export async function timelineIn(
  { context, text, language }: Pick<RequestContext, "context" | "text" | "language">,
  order: Order,
  { isUnderWay }: { isUnderWay: boolean },
): Promise<Timeline> {
  const events = await timelineOf(context.db, order);
  const next = events.findIndex(({ at }) => at === null);
  return {
    label: text("timeline.label"),
    steps: events.map(({ what, at }, index) => ({
      title: text(`timeline.${what}`),
      ...(at !== null
        ? { state: "done" as const, stateWord: text("timeline.done") }
        : index === next && isUnderWay
          ? { state: "now" as const, stateWord: text("timeline.now") }
          : { state: "ahead" as const }),
      when: at === null ? null : formatTime(at, order.country, language),
    })),
  };
}
